# SPDX-License-Identifier: LGPL-3.0-or-later
# Unit tests: one program a source file, named FOLDER_FILE.

# tests/unit/base_bytes is built from tests/unit/base_bytes.c.
UNIT_TESTS =

UNIT_TESTS += \
	tests/unit/base_arena \
	tests/unit/base_bytes \
	tests/unit/base_err \
	tests/unit/base_hash \
	tests/unit/base_pool \
	tests/unit/base_text

UNIT_TESTS += \
	tests/unit/wire_early \
	tests/unit/wire_fragment \
	tests/unit/wire_ip \
	tests/unit/wire_l4 \
	tests/unit/wire_manual \
	tests/unit/wire_opaque \
	tests/unit/wire_packet \
	tests/unit/wire_plain \
	tests/unit/wire_samples \
	tests/unit/wire_tunnel
tests_unit_wire_samples_SOURCES = \
	tests/unit/wire_samples.c \
	tests/unit/wire_samples_table.c
noinst_HEADERS += \
	tests/unit/ctl_commands.h \
	tests/unit/wire_build.h \
	tests/unit/wire_parts.h \
	tests/unit/wire_rig.h \
	tests/unit/wire_samples.h \
	tests/unit/wire_sane.h

UNIT_TESTS += \
	tests/unit/inspect_bittorrent \
	tests/unit/inspect_chain \
	tests/unit/inspect_dns \
	tests/unit/inspect_dns_service \
	tests/unit/inspect_dtls \
	tests/unit/inspect_h323 \
	tests/unit/inspect_hpack \
	tests/unit/inspect_http \
	tests/unit/inspect_http2 \
	tests/unit/inspect_ica \
	tests/unit/inspect_inspector \
	tests/unit/inspect_ldap \
	tests/unit/inspect_megaco \
	tests/unit/inspect_mgcp \
	tests/unit/inspect_msrpc \
	tests/unit/inspect_ndpi \
	tests/unit/inspect_pdu \
	tests/unit/inspect_pieces \
	tests/unit/inspect_proxy \
	tests/unit/inspect_quic \
	tests/unit/inspect_rdp \
	tests/unit/inspect_rtcp \
	tests/unit/inspect_rtp \
	tests/unit/inspect_rtsp \
	tests/unit/inspect_sdp \
	tests/unit/inspect_sip \
	tests/unit/inspect_skinny \
	tests/unit/inspect_skype \
	tests/unit/inspect_smb \
	tests/unit/inspect_socks \
	tests/unit/inspect_starts \
	tests/unit/inspect_stun \
	tests/unit/inspect_sunrpc \
	tests/unit/inspect_tftp \
	tests/unit/inspect_tls \
	tests/unit/inspect_websocket \
	tests/unit/inspect_winmx
noinst_HEADERS += \
	tests/unit/inspect_feed.h \
	tests/unit/inspect_log.h \
	tests/unit/inspect_out.h \
	tests/unit/inspect_split.h \
	tests/unit/quic_rig.h \
	tests/unit/quic_vectors.h \
	tests/unit/starts_rig.h

UNIT_TESTS += \
	tests/unit/flow_bucket \
	tests/unit/flow_evict \
	tests/unit/flow_expect \
	tests/unit/flow_flow \
	tests/unit/flow_known \
	tests/unit/flow_learn \
	tests/unit/flow_state \
	tests/unit/flow_stream \
	tests/unit/flow_stream_model \
	tests/unit/flow_stream_store \
	tests/unit/flow_table \
	tests/unit/flow_table_model \
	tests/unit/flow_way \
	tests/unit/flow_waiting \
	tests/unit/flow_wheel
noinst_HEADERS += tests/unit/flow_rig.h tests/unit/stream_rig.h

UNIT_TESTS += \
	tests/unit/match_explain \
	tests/unit/match_expression \
	tests/unit/match_glob \
	tests/unit/match_regex \
	tests/unit/match_rule \
	tests/unit/match_sieve \
	tests/unit/match_split \
	tests/unit/match_suffix \
	tests/unit/match_sum
noinst_HEADERS += tests/unit/rule_rig.h

UNIT_TESTS += \
	tests/unit/pdl_memory \
	tests/unit/pdl_set \
	tests/unit/pdl_words
tests_unit_pdl_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

UNIT_TESTS += tests/unit/pack_manifest tests/unit/pack_pack

UNIT_TESTS += \
	tests/unit/emix_elastic \
	tests/unit/lib_frame
tests_unit_emix_elastic_SOURCES = \
	tests/bench/emix/app.c \
	tests/bench/emix/dialogue.c \
	tests/bench/emix/elastic.c \
	tests/bench/emix/message.c \
	tests/unit/emix_elastic.c
tests_unit_emix_elastic_LDADD = tests/lib/libtest.la $(PCAP_LIBS)

UNIT_TESTS += \
	tests/unit/classify_catalog \
	tests/unit/classify_custom \
	tests/unit/classify_decide \
	tests/unit/classify_dialogue \
	tests/unit/classify_hosts \
	tests/unit/classify_indexes \
	tests/unit/classify_gate \
	tests/unit/classify_meter \
	tests/unit/classify_notes \
	tests/unit/classify_orient \
	tests/unit/classify_probe \
	tests/unit/ctl_server \
	tests/unit/ctl_session \
	tests/unit/discovery_hosts \
	tests/unit/discovery_ledger \
	tests/unit/discovery_rates \
	tests/unit/discovery_segment \
	tests/unit/discovery_state \
	tests/unit/worker_inspectors \
	tests/unit/worker_load \
	tests/unit/worker_packs_load \
	tests/unit/worker_worker
noinst_HEADERS += tests/unit/talk.h

UNIT_TESTS += \
	tests/unit/io_merge \
	tests/unit/io_pcapfile \
	tests/unit/io_savefile \
	tests/unit/io_source \
	tests/unit/io_way
noinst_HEADERS += tests/unit/io_rig.h
noinst_HEADERS += tests/unit/policy_rig.h
tests_unit_inspect_starts_LDADD = libbarnio.la $(LDADD)
tests_unit_io_merge_LDADD = libbarnio.la $(LDADD)
tests_unit_io_pcapfile_LDADD = libbarnio.la $(LDADD)
tests_unit_io_savefile_LDADD = libbarnio.la $(LDADD)
tests_unit_io_source_LDADD = libbarnio.la $(LDADD)
tests_unit_io_way_LDADD = libbarnio.la $(LDADD)

UNIT_TESTS += \
	tests/unit/cli_community \
	tests/unit/cli_crew \
	tests/unit/cli_inside \
	tests/unit/daemon_bundle \
	tests/unit/daemon_link \
	tests/unit/daemon_pulse \
	tests/unit/program_options \
	tests/unit/cli_value \
	tests/unit/conf_words \
	tests/unit/policy_decide \
	tests/unit/policy_match \
	tests/unit/policy_numbers \
	tests/unit/policy_police \
	tests/unit/policy_rewrite
tests_unit_cli_community_LDADD = $(BARN_CLI_LIBS) $(LDADD)
tests_unit_cli_crew_LDADD = $(BARN_CLI_LIBS) $(LDADD)
tests_unit_cli_inside_LDADD = $(BARN_CLI_LIBS) $(LDADD)
tests_unit_daemon_bundle_LDADD = libbarndaemon.la $(BARN_CLI_LIBS) $(LDADD)
tests_unit_daemon_link_LDADD = libbarndaemon.la $(BARN_CLI_LIBS) $(LDADD)
tests_unit_daemon_pulse_LDADD = libbarndaemon.la $(BARN_CLI_LIBS) $(LDADD)
tests_unit_program_options_LDADD = $(BARN_CLI_LIBS) $(LDADD)
tests_unit_cli_value_LDADD = $(BARN_CLI_LIBS) $(LDADD)

UNIT_TESTS += \
	tests/unit/snmp_set \
	tests/unit/snmp_table \
	tests/unit/snmp_threshold
noinst_HEADERS += tests/unit/snmp_rig.h
tests_unit_snmp_set_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tests_unit_snmp_set_LDADD = libbarnsnmp.la libbarnpeer.la
tests_unit_snmp_table_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tests_unit_snmp_table_LDADD = libbarnsnmp.la libbarnpeer.la
tests_unit_snmp_threshold_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tests_unit_snmp_threshold_LDADD = libbarnsnmp.la libbarnpeer.la

check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
noinst_HEADERS += tests/unit/unit.h
