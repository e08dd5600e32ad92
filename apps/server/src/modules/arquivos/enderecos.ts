const PREFIXO = '/api/midias/'
const NOME = /^[0-9a-f]{32}\.[a-z0-9]{2,5}$/

/** Where the bytes of a file are read from. */
export function urlDoArquivo(nome: string): string {
  return PREFIXO + nome
}

/** The name in such an address, or the name itself; null for anything else. */
export function nomeDaUrl(url: string): string | null {
  const nome = url.startsWith(PREFIXO) ? url.slice(PREFIXO.length) : url
  return NOME.test(nome) ? nome : null
}
