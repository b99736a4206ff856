// A file that is dropped on the form, or chosen, is named; it is sent with the button that is pressed.

const drop = document.getElementById("drop");
const file = document.getElementById("file");
const dropped = document.getElementById("dropped");

function tell() {
  const chosen = file.files[0];
  dropped.textContent = chosen ? `${chosen.name}, ${chosen.size.toLocaleString("en")} bytes: Read or Inspect opens it` : "";
}

for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  if (event.dataTransfer.files.length) {
    file.files = event.dataTransfer.files;
    tell();
  }
});
file.addEventListener("change", tell);
