export function baixar(nome: string, tipo: string, texto: string): void {
  const endereco = URL.createObjectURL(new Blob([texto], { type: `${tipo};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = endereco
  link.download = nome
  link.click()
  // Revoked after the click handler: the browser has read the URL by then.
  setTimeout(() => URL.revokeObjectURL(endereco))
}
