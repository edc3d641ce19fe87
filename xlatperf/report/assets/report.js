"use strict";
// Sorting: by number where both cells are numbers, else as text. A second click turns the order round.
function cellValue(row, column) {
  const text = row.cells[column].textContent.trim();
  const number = Number(text.replace(/,/g, "").replace(/^≥ /, ""));
  return { text, number: text === "" || text === "–" ? NaN : number };
}
function compareCells(a, b) {
  if (!Number.isNaN(a.number) && !Number.isNaN(b.number)) return a.number - b.number;
  if (Number.isNaN(a.number) !== Number.isNaN(b.number)) return Number.isNaN(a.number) ? 1 : -1;
  return a.text.localeCompare(b.text);
}
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = table.tHead.rows[table.tHead.rows.length - 1].cells;
  Array.from(headings).forEach((heading, column) => heading.addEventListener("click", () => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => ({ row, value: cellValue(row, column) }));
    rows.sort((a, b) => compareCells(a.value, b.value) * (down ? -1 : 1));
    body.append(...rows.map((entry) => entry.row));
  }));
}
for (const select of document.querySelectorAll("select[data-filters]")) {
  const rows = document.getElementById(select.dataset.filters).tBodies[0].rows;
  select.addEventListener("change", () => {
    for (const row of rows) row.hidden = select.value !== "" && row.dataset.run !== select.value;
  });
}
// A link into a folded section unfolds it; printing unfolds all.
function unfold() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const folded = target && target.querySelector(":scope > details");
  if (folded) { folded.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", unfold);
unfold();
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details:not([open])")) { folded.open = true; folded.dataset.printed = "1"; }
});
addEventListener("afterprint", () => {
  for (const folded of document.querySelectorAll("details[data-printed]")) { folded.open = false; delete folded.dataset.printed; }
});
// A plot in a folded block has no width until it is unfolded.
for (const folded of document.querySelectorAll("details")) {
  folded.addEventListener("toggle", () => dispatchEvent(new Event("resize")));
}
// The contents show where the reader is.
const links = new Map(Array.from(document.querySelectorAll("nav a"), (link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    for (const link of links.values()) link.classList.remove("here");
    links.get(entry.target.id)?.classList.add("here");
  }
}, { rootMargin: "-5% 0px -85% 0px" });
for (const section of document.querySelectorAll("section[id]")) seen.observe(section);
