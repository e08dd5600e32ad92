import { onTestFinished } from 'vitest'

/** Collects downloads instead of saving them: the link that the code clicks. */
export function collectDownloads(): { nome: string; conteudo: Promise<string> }[] {
  const stored: { nome: string; conteudo: Promise<string> }[] = []
  HTMLAnchorElement.prototype.click = function guardar() {
    stored.push({ nome: this.download, conteudo: fetch(this.href).then((r) => r.text()) })
  }
  // Deleting the override restores the inherited method.
  onTestFinished(() => void Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click'))
  return stored
}
