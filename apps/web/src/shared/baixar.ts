/** Hands a text to the browser as a file. */
export function baixar(nome: string, tipo: string, texto: string): void {
  const endereco = URL.createObjectURL(new Blob([texto], { type: `${tipo};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = endereco
  link.download = nome
  link.click()
  // The browser takes hold of it as the click is handled.
  setTimeout(() => URL.revokeObjectURL(endereco))
}
