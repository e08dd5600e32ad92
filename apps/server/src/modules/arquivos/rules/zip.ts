import { latin1, startsWith } from './bytes.ts'

const FIM = Buffer.from('PK\u0005\u0006', 'latin1')
const FIM_TAMANHO = 22
const ENTRADA_TAMANHO = 46
const COMENTARIO_MAXIMO = 65_535

/** Returns the offset of the end-of-central-directory record, or null if the bytes do not end with a ZIP. */
export function findZipEnd(bytes: Buffer): number | null {
  const cauda = bytes.subarray(Math.max(0, bytes.length - FIM_TAMANHO - COMENTARIO_MAXIMO))
  for (let em = cauda.lastIndexOf(FIM); em !== -1; em = em === 0 ? -1 : cauda.lastIndexOf(FIM, em - 1)) {
    const cabe = em + FIM_TAMANHO <= cauda.length
    if (cabe && em + FIM_TAMANHO + cauda.readUInt16LE(em + 20) === cauda.length) return bytes.length - cauda.length + em
  }
  return null
}

/** Returns the entry names of a ZIP from its central directory, or null if the directory is invalid. */
export function listZip(bytes: Buffer): string[] | null {
  const fim = findZipEnd(bytes)
  if (fim === null) return null
  const quantos = bytes.readUInt16LE(fim + 10)
  let em = bytes.readUInt32LE(fim + 16)
  const nomes: string[] = []
  while (nomes.length < quantos) {
    if (!startsWith(bytes, 'PK\u0001\u0002', em) || em + ENTRADA_TAMANHO > fim) return null
    const [nome, extra, comentario] = [28, 30, 32].map((campo) => bytes.readUInt16LE(em + campo))
    if (nome === undefined || extra === undefined || comentario === undefined) return null
    nomes.push(latin1(bytes, em + ENTRADA_TAMANHO, em + ENTRADA_TAMANHO + nome))
    em += ENTRADA_TAMANHO + nome + extra + comentario
  }
  return em <= fim ? nomes : null
}
