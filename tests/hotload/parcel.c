/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * The example as it is: the build's folder has a link to pdlm/, so that an object of a source
 * in there would be written among the sources, which may be read-only.
 */
#include "pdlm/example-c/parcel.c"
