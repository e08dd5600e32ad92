/** Characters per word or phrase. */
const TAMANHO_MAXIMO = 100

/** Normalizes like the engine: case, accents and spacing do not matter. */
export function dobrar(palavra: string): string {
  return palavra.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

export function separar(escrito: string, atuais: readonly string[]): { novas: string[]; repetidas: string[] } {
  const vistas = new Set(atuais.map(dobrar))
  const novas: string[] = []
  const repetidas: string[] = []
  for (const parte of escrito.split(',')) {
    const palavra = parte.replace(/\s+/g, ' ').trim().slice(0, TAMANHO_MAXIMO)
    if (palavra === '') continue
    if (vistas.has(dobrar(palavra))) repetidas.push(palavra)
    else novas.push(palavra)
    vistas.add(dobrar(palavra))
  }
  return { novas, repetidas }
}
