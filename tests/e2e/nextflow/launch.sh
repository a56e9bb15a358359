# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# How the tests start Nextflow, without its own launcher. Sourced behind lib.sh.

# As Nextflow's own launcher opens them: without, -resume silently finds nothing.
opens=()
for package in lang lang.invoke io net nio nio.file.spi util util.concurrent util.concurrent.atomic; do
	opens+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
done
for package in nio.ch nio.fs net.www.protocol.http net.www.protocol.https net.www.protocol.ftp net.www.protocol.file; do
	opens+=("--add-opens=java.base/sun.$package=ALL-UNNAMED")
done
# A run is over before the second compiler pays off: with it and a parallel collector a run takes twice the CPU time.
jvm=(-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC)
within=() # a command that starts it
nextflow_jars=$root/build/nextflow
# nextflow FOLDER ARGUMENT…: in that folder.
nextflow() {
	local folder=$1
	shift
	(cd "$folder" && NXF_OFFLINE=true NXF_PLUGINS_DEFAULT=false NXF_HOME=$work/home NXF_ANSI_LOG=false \
		"${within[@]}" java "${jvm[@]}" "${opens[@]}" -cp "$nextflow_jars/*" nextflow.cli.Launcher "$@" >"$folder/log" 2>&1) ||
		fault "nextflow $*: $(tail -n 20 "$folder/log")"
}
