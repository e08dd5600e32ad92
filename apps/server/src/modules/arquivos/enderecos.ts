const MIDIAS = '/api/midias/'
const IMAGENS = '/api/imagens/'
const NOME = /^[0-9a-f]{32}\.[a-z0-9]{2,5}$/

/** Where the bytes of a file of the chat are read from. */
export function urlDoArquivo(nome: string): string {
  return MIDIAS + nome
}

/** Where a product's picture is read from; with `?mini`, a small version of it. */
export function urlDaImagem(nome: string): string {
  return IMAGENS + nome
}

/** The name in such an address, or the name itself; null for anything else. */
export function nomeDaUrl(url: string): string | null {
  const prefixo = [MIDIAS, IMAGENS].find((inicio) => url.startsWith(inicio)) ?? ''
  const nome = url.slice(prefixo.length)
  return NOME.test(nome) ? nome : null
}

/** The file of a picture's small version, which has no row of its own. */
export function nomeDaMini(nome: string): string {
  return nome.replace(/[^.]+$/, 'mini')
}

/** The name that has a row. */
export function nomeComLinha(nome: string): string {
  return nome.endsWith('.mini') ? nome.replace(/mini$/, 'webp') : nome
}
