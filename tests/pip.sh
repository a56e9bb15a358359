#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pip of a virtual environment, which is made where it is missing: pip.sh PLACE install ARGUMENTS…
# It is Debian's pip, of the wheel that python3-venv comes with: to install one into each environment takes 3 s of a CPU.
set -euo pipefail

place=$1
shift
wheels=(/usr/share/python-wheels/pip-*.whl)
[ -e "${wheels[0]}" ] || { echo "pip's wheel is missing in /usr/share/python-wheels: apt-get install python3-venv" >&2; exit 1; }
if ! [ -x "$place/bin/python" ]; then /usr/bin/python3 -m venv --without-pip "$place"; fi
exec "$place/bin/python" "${wheels[0]}/pip" "$1" --quiet --disable-pip-version-check --retries 3 "${@:2}"
