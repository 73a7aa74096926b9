# SPDX-License-Identifier: Apache-2.0
"""Showing graphs of objects: as text, HTML, diagrams, and two graphs side by side.

Every walk here is a loop over an explicit list, so graphs of any depth can be shown.
"""
