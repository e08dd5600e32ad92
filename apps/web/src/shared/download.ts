export function downloadText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Revoked after the click handler: the browser has read the URL by then.
  setTimeout(() => URL.revokeObjectURL(address))
}
