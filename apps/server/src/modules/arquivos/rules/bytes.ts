/** Positions beyond the end give an empty text. */

export function latin1(bytes: Buffer, inicio: number, fim: number): string {
  return bytes.subarray(inicio, Math.max(inicio, fim)).toString('latin1')
}

export function startsWith(bytes: Buffer, assinatura: readonly number[] | string, em = 0): boolean {
  const esperado = typeof assinatura === 'string' ? Buffer.from(assinatura, 'latin1') : Buffer.from(assinatura)
  return bytes.subarray(em, em + esperado.length).equals(esperado)
}
