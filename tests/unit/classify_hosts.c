/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The modules that barn ships: which application a server's name belongs to. */
#include "unit.h"

#include "worker/engine.h"

#include <glob.h>
#include <stdlib.h>

struct expected {
	const char *host, *application; /* "": none */
};

/* Each company's services apart, the longest suffix first; what is left is the company's. */
static const struct expected services[] = {
	{ "www.google.com", "google-search" },
	{ "google.com", "google-search" },
	{ "www.google.co.uk", "google-search" },
	{ "accounts.google.com", "google-services" },
	{ "lh3.googleusercontent.com", "google-services" },
	{ "mail.google.com", "gmail" },
	{ "imap.gmail.com", "gmail" },
	{ "alt1.gmail-smtp-in.l.google.com", "gmail" },
	{ "drive.google.com", "google-drive" },
	{ "docs.google.com", "google-docs" },
	{ "meet.google.com", "google-meet" },
	{ "calendar.google.com", "google-calendar" },
	{ "photos.google.com", "google-photos" },
	{ "maps.google.com", "google-maps" },
	{ "maps.googleapis.com", "google-maps" },
	{ "play.google.com", "google-play" },
	{ "play.googleapis.com", "google-play" },
	{ "mtalk.google.com", "google-push" },
	{ "dns.google", "google-dns" },
	{ "www.googleapis.com", "google-apis" },
	{ "fonts.gstatic.com", "google-static" },
	{ "fonts.googleapis.com", "google-static" },
	{ "connectivitycheck.gstatic.com", "android-connectivity" },
	{ "redirector.gvt1.com", "google-update" },
	{ "storage.googleapis.com", "google-cloud-storage" },
	{ "service-abc.a.run.app", "google-cloud" },
	{ "app.firebaseio.com", "firebase" },
	{ "gemini.google.com", "google-gemini" },
	{ "www.google-analytics.com", "google-analytics" },
	{ "stats.g.doubleclick.net", "google-ads" },
	{ "translate.google.com", "google-translate" },
	{ "www.youtube.com", "youtube" },
	{ "youtu.be", "youtube" },
	{ "rr1---sn-4g5e6nsz.googlevideo.com", "youtube" },
	{ "i.ytimg.com", "youtube" },
	{ "music.youtube.com", "youtube-music" },
	{ "www.microsoft.com", "microsoft" },
	{ "login.microsoftonline.com", "microsoft-account" },
	{ "login.live.com", "microsoft-account" },
	{ "www.office.com", "ms-office-365" },
	{ "word-edit.officeapps.live.com", "ms-office-365" },
	{ "outlook.office365.com", "outlook-web-service" },
	{ "outlook.live.com", "outlook-web-service" },
	{ "contoso.sharepoint.com", "sharepoint" },
	{ "api.onedrive.com", "ms-onedrive" },
	{ "onedrive.live.com", "ms-onedrive" },
	{ "teams.microsoft.com", "ms-teams" },
	{ "eu-prod.asyncgw.teams.microsoft.com", "ms-teams" },
	{ "fe2cr.update.microsoft.com", "ms-update" },
	{ "au.download.windowsupdate.com", "ms-update" },
	{ "2.tlu.dl.delivery.mp.microsoft.com", "ms-update" },
	{ "displaycatalog.mp.microsoft.com", "microsoft-store" },
	{ "v10.events.data.microsoft.com", "microsoft-telemetry" },
	{ "client.wns.windows.com", "windows-push" },
	{ "www.msftconnecttest.com", "windows-connectivity" },
	{ "management.azure.com", "azure" },
	{ "account.blob.core.windows.net", "azure-storage" },
	{ "example.azureedge.net", "azure-cdn" },
	{ "server.database.windows.net", "ms-sql-azure" },
	{ "www.bing.com", "bing" },
	{ "copilot.microsoft.com", "microsoft-copilot" },
	{ "user.auth.xboxlive.com", "xbox-live" },
	{ "www.linkedin.com", "linkedin" },
	{ "www.apple.com", "apple" },
	{ "p42-caldav.icloud.com", "icloud" },
	{ "mask.icloud.com", "icloud-private-relay" },
	{ "apps.apple.com", "apple-app-store" },
	{ "is1-ssl.mzstatic.com", "apple-app-store" },
	{ "buy.itunes.apple.com", "itunes" },
	{ "music.apple.com", "apple-music" },
	{ "tv.apple.com", "apple-tv-plus" },
	{ "1-courier.push.apple.com", "apple-push" },
	{ "swcdn.apple.com", "apple-ios-updates" },
	{ "captive.apple.com", "apple-connectivity" },
	{ "gsp64-ssl.ls.apple.com", "apple-maps" },
	{ "guzzoni.apple.com", "apple-siri" },
	{ "init.ess.apple.com", "facetime" },
	{ "ocsp.apple.com", "ocsp-services" },
	{ "www.amazon.com", "amazon" },
	{ "www.amazon.de", "amazon" },
	{ "ec2.eu-west-1.amazonaws.com", "amazon-aws" },
	{ "bucket.s3.eu-central-1.amazonaws.com", "amazon-s3" },
	{ "s3.amazonaws.com", "amazon-s3" },
	{ "www.primevideo.com", "prime-video" },
	{ "music.amazon.com", "amazon-music" },
	{ "alexa.amazon.com", "amazon-alexa" },
	{ "d111111abcdef8.cloudfront.net", "cloudfront" },
	{ "www.twitch.tv", "twitch" },
	{ "www.facebook.com", "facebook" },
	{ "scontent.xx.fbcdn.net", "facebook" },
	{ "edge-chat.facebook.com", "facebook-messenger" },
	{ "www.messenger.com", "facebook-messenger" },
	{ "i.instagram.com", "instagram" },
	{ "mmg.whatsapp.net", "whatsapp" },
	{ "www.threads.com", "threads" },
	{ "v.qq.com", "tencent-video" },
	{ "www.qq.com", "tencent-qq" },
	{ "short.weixin.qq.com", "wechat" },
	{ "music.yandex.ru", "yandex-music" },
	{ "mc.yandex.ru", "yandex-metrica" },
	{ "www.yandex.ru", "yandex" },
	{ "music.163.com", "netease-music" },
	{ "archive.ubuntu.com", "ubuntu-update" },
	{ "www.ubuntu.com", "ubuntu" },
	{ "store.steampowered.com", "steam" },
};

static const struct expected others[] = {
	{ "www.netflix.com", "netflix" },
	{ "NETFLIX.COM", "netflix" },
	{ "www.netflix.com.", "netflix" },
	{ "occ-0-1.1.nflxso.net", "netflix" },
	{ "api-global.netflix.com", "netflix" },
	{ "us04web.zoom.us", "zoom" },
	{ "idbroker.webex.com", "webex" },
	{ "edgeapi.slack.com", "slack" },
	{ "gateway.discord.gg", "discord" },
	{ "web.telegram.org", "telegram" },
	{ "chat.signal.org", "signal" },
	{ "api.x.com", "twitter" },
	{ "t.co", "twitter" },
	{ "audio-fa.scdn.co", "spotify" },
	{ "www.tiktok.com", "tiktok" },
	{ "codeload.github.com", "github" },
	{ "gitlab.com", "gitlab" },
	{ "registry-1.docker.io", "docker" },
	{ "registry.npmjs.org", "npm" },
	{ "files.pythonhosted.org", "pypi" },
	{ "static.crates.io", "crates-io" },
	{ "deb.debian.org", "debian" },
	{ "api.dropboxapi.com", "dropbox" },
	{ "upload.box.com", "box-net" },
	{ "eu5.salesforce.com", "salesforce" },
	{ "acme.service-now.com", "servicenow" },
	{ "wd5.myworkday.com", "workday" },
	{ "router1.teamviewer.com", "teamviewer" },
	{ "relay-1.net.anydesk.com", "anydesk" },
	{ "api.stripe.com", "stripe" },
	{ "www.paypal.com", "paypal" },
	{ "e1.lencr.org", "letsencrypt" },
	{ "ocsp.digicert.com", "ocsp-services" },
	{ "dns.quad9.net", "quad9" },
	{ "mozilla.cloudflare-dns.com", "cloudflare-dns" },
	{ "detectportal.firefox.com", "firefox-connectivity" },
	{ "e1.a.akamaiedge.net", "akamai" },
	{ "ts01-b.cloudsink.net", "crowdstrike" },
	{ "chatgpt.com", "openai" },
	{ "api.anthropic.com", "anthropic" },
	{ "upos-sz.bilivideo.com", "bilibili" },
	{ "www.globoplay.com", "globoplay" },
	{ "mediathek.zdf.de", "zdf" },
	{ "www.raiplay.it", "raiplay" },
	{ "a1.tuyaeu.com", "tuya" },
	{ "0.debian.pool.ntp.org", "ntp-pool" },
	{ "home.duckdns.org", "duckdns" },
	{ "www.speedtest.net", "ookla-speedtest" },
	{ "en.wikipedia.org", "wikipedia" },
	{ "store.playstation.com", "playstation" },
};

static const struct expected strangers[] = {
	{ "notnetflix.com", "" },
	{ "netflix.com.evil.example", "" },
	{ "www.netflix.com.evil.example", "" },
	{ "www-netflix.com", "" },
	{ "netflix.co", "" },
	{ "com", "" },
	{ "evil-google.com", "" },
	{ "google.com.evil.example", "" },
	{ "googlevideo.com.example", "" },
	{ "fakepaypal.com", "" },
	{ "xzoom.us", "" },
	{ "me.com.example", "" },
	{ "at.co", "" },
	{ "t.co.uk", "" },
	{ "connectivity.example.ubuntu.org", "" },
	{ "localhost", "" },
	{ "mail.example.com", "" },
	{ "192.0.2.1", "" },
};

static struct barn_engine *engine; /* of all tests, to the end */

static void
add_file(const char *file, struct barn_faults *faults)
{
	static char text[1 << 20];
	FILE *f = fopen(file, "rb");
	size_t len;

	CHECK(f != NULL);
	len = fread(text, 1, sizeof(text), f);
	fclose(f);
	if (barn_engine_module(engine, file, text, len, faults))
		CHECK_STR(faults->fault[0].text, "");
}

static const struct registry *
registry(void)
{
	struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	static struct barn_faults faults;
	const char *srcdir = getenv("srcdir");
	char pattern[512];
	glob_t found;

	if (engine)
		return engine->registry;
	snprintf(pattern, sizeof(pattern), "%s/pdlm/*.pdlm", srcdir ? srcdir : ".");
	CHECK_EQ(barn_engine_new(&options, &engine), BARN_OK);
	CHECK_EQ(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_file(found.gl_pathv[i], &faults);
	globfree(&found);
	engine_trust(engine);
	if (barn_engine_commit(engine, &faults))
		CHECK_STR(faults.fault[0].text, "");
	return engine->registry;
}

static const char *
application(const char *host, const char *carrier)
{
	uint16_t over = registry_find(registry(), carrier);
	uint16_t found = registry_host(registry(), bytes_of(host, strlen(host)), over);

	CHECK(over != 0);
	return found ? registry_protocol(registry(), found)->name : "";
}

static void
check_all(const struct expected *table, size_t count)
{
	static const char *const carriers[] = { "ssl", "http", "quic", "http2", "http3" };
	unsigned wrong = 0;

	for (size_t i = 0; i < count; i++) {
		const char *got = "";

		for (unsigned c = 0; c < sizeof(carriers) / sizeof(carriers[0]); c++) {
			got = application(table[i].host, carriers[c]);
			if (strcmp(got, table[i].application) != 0)
				break;
		}
		if (strcmp(got, table[i].application) == 0)
			continue;
		printf("%s is of '%s', not '%s'\n", table[i].host, got, table[i].application);
		wrong++;
	}
	CHECK_EQ(wrong, 0);
}

TEST(each_service_of_a_company_is_told_from_the_others)
{
	check_all(services, sizeof(services) / sizeof(services[0]));
}

TEST(a_service_has_its_names_and_those_below)
{
	check_all(others, sizeof(others) / sizeof(others[0]));
}

TEST(a_name_that_only_looks_alike_is_a_strangers)
{
	check_all(strangers, sizeof(strangers) / sizeof(strangers[0]));
}

TEST(services_are_found_over_their_carriers_only)
{
	CHECK_STR(application("www.netflix.com", "smtp"), "");
	CHECK_STR(application("www.netflix.com", "ssl"), "netflix");
}
