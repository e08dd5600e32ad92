import { NOME, PASTA } from '#adapters/disco/nomes.ts'
import type { ArquivoGuardado } from '#ports/files.ts'

export interface Pagina {
  readonly arquivos: readonly ArquivoGuardado[]
  readonly continua: string | null
}

/** Parses one page of ListObjectsV2. Foreign keys are skipped: the bucket may hold other data. */
export function lerListagem(xml: string): Pagina {
  const arquivos: ArquivoGuardado[] = []
  for (const [, chave = ''] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) {
    const [contaId = '', nome = '', ...resto] = chave.split('/')
    if (PASTA.test(contaId) && NOME.test(nome) && resto.length === 0) arquivos.push({ contaId, nome })
  }
  const continua = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(xml)?.[1]
  return { arquivos, continua: continua === undefined ? null : semEntidades(continua) }
}

const ENTIDADES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function semEntidades(texto: string): string {
  return texto.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (inteira, decimal, hex, nome) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return ENTIDADES[nome] ?? inteira
  })
}
