const MIDIAS = '/api/midias/'
const IMAGENS = '/api/imagens/'
const NOME = /^[0-9a-f]{32}\.[a-z0-9]{2,5}$/

export function urlDoArquivo(nome: string): string {
  return MIDIAS + nome
}

/** With `?mini` the server returns the small version. */
export function urlDaImagem(nome: string): string {
  return IMAGENS + nome
}

/** Returns the file name in an address of ours, or the name itself. Returns null for anything else. */
export function nomeDaUrl(url: string): string | null {
  const prefixo = [MIDIAS, IMAGENS].find((inicio) => url.startsWith(inicio)) ?? ''
  const nome = url.slice(prefixo.length)
  return NOME.test(nome) ? nome : null
}

/** The small version is a second file without a row in `arquivos`. */
export function nomeDaMini(nome: string): string {
  return nome.replace(/[^.]+$/, 'mini')
}

/** Maps a file on disk to the name of its row in `arquivos`. */
export function nomeComLinha(nome: string): string {
  return nome.endsWith('.mini') ? nome.replace(/mini$/, 'webp') : nome
}
