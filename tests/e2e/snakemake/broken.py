# SPDX-License-Identifier: Apache-2.0
raise ValueError("nothing written")
