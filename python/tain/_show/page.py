# SPDX-License-Identifier: Apache-2.0
"""The style and the script of HTML trees. Neither contains anything of the shown values."""

from __future__ import annotations

from typing import Final

__all__ = ["SCRIPT", "STYLE"]

_LIGHT = (
    "--tain-label:#0a6a74;--tain-type:#1a1a1a;--tain-value:#17662e;--tain-mark:#8a2a8a;"
    "--tain-note:#6b6b6b;--tain-error:#b3261e;--tain-hit:#ffe58a;--tain-lines:#d5d5d5;"
    "--tain-left:#ffeceb;--tain-right:#e6f6ea;--tain-back:var(--jp-layout-color0,#fff)"
)
_DARK = (
    "--tain-label:#6fc7d1;--tain-type:#eaeaea;--tain-value:#8fd39f;--tain-mark:#d79ad7;"
    "--tain-note:#9c9c9c;--tain-error:#ff8a80;--tain-hit:#6b5900;--tain-lines:#4a4a4a;"
    "--tain-left:#4a2422;--tain-right:#1e3f28;--tain-back:var(--jp-layout-color0,#1c1c1c)"
)

STYLE: Final = (
    f".tain-show{{{_LIGHT};font:13px/1.55 ui-monospace,Menlo,Consolas,monospace;"
    "text-align:left;color:var(--tain-type);background:var(--tain-back)}"
    f"@media(prefers-color-scheme:dark){{.tain-show{{{_DARK}}}}}"
    # Notebooks may have another theme than the system.
    f"[data-jp-theme-light=true] .tain-show,.vscode-light .tain-show{{{_LIGHT}}}"
    f"[data-jp-theme-light=false] .tain-show,.vscode-dark .tain-show{{{_DARK}}}"
    ".tain-tools{position:sticky;top:0;padding:4px 0;display:flex;gap:6px;align-items:center;"
    "background:var(--tain-back)}"
    ".tain-tools[hidden]{display:none}"
    ".tain-tools input{font:inherit;font-size:12px;padding:1px 8px;border:1px solid"
    " var(--tain-lines);border-radius:4px;background:transparent;color:var(--tain-type)}"
    ".tain-tools input[type=button]{cursor:pointer}"
    ".tain-found::after{content:attr(data-found);color:var(--tain-note);font-size:12px}"
    ".tain-tree{padding-left:16px;white-space:pre;overflow-x:auto}"
    ".tain-tree summary{display:block;cursor:pointer;list-style:none}"
    ".tain-tree summary::-webkit-details-marker{display:none}"
    ".tain-tree i{display:inline-block;width:14px;margin-left:-14px;font-style:normal;"
    "color:var(--tain-note)}.tain-tree i::before{content:'\\25b8'}"
    ".tain-tree details[open]>summary>i::before{content:'\\25be'}"
    ".tain-tree summary:hover{background:color-mix(in srgb,var(--tain-lines) 35%,transparent)}"
    ".tain-tree details:not([open])>summary>.tain-brief::after{content:attr(data-text);"
    "color:var(--tain-note)}"
    ".tain-label{color:var(--tain-label)}.tain-type{font-weight:600}"
    ".tain-value{color:var(--tain-value)}.tain-mark{color:var(--tain-mark)}"
    ".tain-note{color:var(--tain-note)}.tain-error{color:var(--tain-error)}"
    ".tain-hit{background:var(--tain-hit)}"
    # Jupyter has a style for the tables, rows and cells of all outputs, which must not apply here.
    ".tain-show.tain-show .tain-diff{border-collapse:collapse;font:inherit;color:inherit;margin:0;"
    "table-layout:auto}"
    ".tain-show.tain-show .tain-diff td{padding:0 10px;white-space:pre;vertical-align:top;"
    "text-align:left;border:0;max-width:none;font:inherit;line-height:1.55;color:inherit;"
    "background:var(--tain-back)}"
    ".tain-show.tain-show .tain-diff td+td{border-left:1px solid var(--tain-lines)}"
    ".tain-show.tain-show .tain-diff .tain-left{background:var(--tain-left)}"
    ".tain-show.tain-show .tain-diff .tain-right{background:var(--tain-right)}"
)

# It finds its trees by their class, because a notebook may run it more than once and anywhere.
SCRIPT: Final = """
for (const root of document.querySelectorAll(".tain-show:not([data-ready])")) {
  const tools = root.querySelector(".tain-tools"), tree = root.querySelector(".tain-tree");
  if (!tools || !tree) continue;
  root.dataset.ready = "";
  tools.hidden = false;
  const [query, expand, collapse] = tools.querySelectorAll("input");
  const found = tools.querySelector(".tain-found");
  const lines = [...tree.querySelectorAll("summary, div")];
  const fold = open => { for (const d of tree.querySelectorAll("details")) d.open = open; };
  let hits = [], at = -1;
  const go = step => {
    if (!hits.length) return;
    at = (at + step + hits.length) % hits.length;
    found.dataset.found = (at + 1) + " of " + hits.length;
    hits[at].scrollIntoView({block: "nearest"});
  };
  query.addEventListener("input", () => {
    const text = query.value.toLowerCase();
    for (const line of hits) line.classList.remove("tain-hit");
    hits = text ? lines.filter(line => line.textContent.toLowerCase().includes(text)) : [];
    at = -1;
    found.dataset.found = text ? "nothing found" : "";
    for (const line of hits) {
      line.classList.add("tain-hit");
      let up = line.parentElement;
      if (line.tagName === "SUMMARY") up = up.parentElement;
      for (; up && up !== tree; up = up.parentElement) up.open = true;
    }
    go(1);
  });
  query.addEventListener("keydown", event => {
    if (event.key === "Enter") { event.preventDefault(); go(event.shiftKey ? -1 : 1); }
    event.stopPropagation();
  });
  expand.addEventListener("click", () => fold(true));
  collapse.addEventListener("click", () => fold(false));
}
"""
