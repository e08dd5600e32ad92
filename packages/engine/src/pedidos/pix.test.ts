import { describe, expect, it } from 'vitest'
import { codeOfPixPicture, crc16, isPixCode, pixCode, pixPictureUrl, readPixCode, txidOf } from './pix.ts'

const PIX = { chave: '11222333000181', nome: 'Pão & Café do João Ltda. – Matriz', cidade: 'São José do Rio Preto' }
const ID = '01939d5e-7c00-7000-8000-0123456789ab'

/** Fields of a code, by their numbers. */
function fieldsOf(code: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (let at = 0; at < code.length;) {
    const length = Number(code.slice(at + 2, at + 4))
    fields[code.slice(at, at + 2)] = code.slice(at + 4, at + 4 + length)
    at += 4 + length
  }
  return fields
}

describe('crc16', () => {
  it('agrees with the check value of the algorithm and with the example of the Banco Central', () => {
    expect(crc16('123456789')).toBe('29B1')
    const example =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304'
    expect(crc16(example)).toBe('1D3D')
  })
})

describe('pixCode', () => {
  it('has every field, with name and city in ASCII and cut', () => {
    const code = pixCode(PIX, { valorCentavos: 123_405, txid: 'ABC123' }, 'Padaria') ?? ''
    expect(fieldsOf(code)).toEqual({
      ...{ '00': '01', '26': '0014br.gov.bcb.pix011411222333000181', '52': '0000', '53': '986', '54': '1234.05' },
      ...{ '58': 'BR', '59': 'PAO & CAFE DO JOAO LTDA.', '60': 'SAO JOSE DO RIO', '62': '0506ABC123' },
      '63': crc16(code.slice(0, -4)),
    })
  })

  it('names the company and the country if the shop left name and city empty', () => {
    const code = pixCode(
      { chave: 'a@b.com', nome: '', cidade: '😀' },
      { valorCentavos: 0, txid: 'X' },
      'Padaria Aurora',
    )
    expect(fieldsOf(code ?? '')).toMatchObject({ '59': 'PADARIA AURORA', '60': 'BRASIL' })
    expect(fieldsOf(code ?? '')).not.toHaveProperty('54')
  })

  it('gives no code without a valid key', () => {
    for (const chave of ['', '529.982.247-26', 'loja'])
      expect(pixCode({ ...PIX, chave }, { valorCentavos: 1, txid: 'X' }, 'P')).toBeNull()
  })
})

describe('readPixCode', () => {
  it('reads the parts of a code, and nothing of another text', () => {
    const code = pixCode(PIX, { valorCentavos: 123_405, txid: 'ABC123' }, 'Padaria') ?? ''
    const parts = { chave: PIX.chave, nome: 'PAO & CAFE DO JOAO LTDA.', txid: 'ABC123' }
    expect(readPixCode(code)).toEqual({ ...parts, valorCentavos: 123_405 })
    const open = pixCode(PIX, { valorCentavos: 0, txid: 'ABC123' }, 'Padaria') ?? ''
    expect(readPixCode(open)).toEqual({ ...parts, valorCentavos: 0 })
    for (const other of ['', 'oi', code.slice(0, -1), `000201x6304${crc16('000201x6304')}`])
      expect(readPixCode(other)).toBeNull()
  })
})

describe('pixPictureUrl', () => {
  const code = pixCode(PIX, { valorCentavos: 1_000, txid: 'ABC' }, 'Padaria') ?? ''

  it('contains the code, which can be read back', () => {
    expect(codeOfPixPicture(pixPictureUrl(code))).toBe(code)
  })

  it('is no other address and no other text', () => {
    const others = ['', 'https://example.com', code.toLowerCase(), `${code} `, code.replace('540510.00', '540599.00')]
    expect(others.filter(isPixCode)).toEqual([])
    for (const url of ['/api/midias/0.png', code, `https://example.com${pixPictureUrl(code)}`, pixPictureUrl('oi')])
      expect(codeOfPixPicture(url)).toBeNull()
  })
})

describe('txidOf', () => {
  it('writes an id as 25 letters and digits', () => {
    expect(txidOf(ID)).toMatch(/^[0-9A-Z]{25}$/)
    expect(txidOf('ffffffff-ffff-ffff-ffff-ffffffffffff')).toHaveLength(25)
    expect(txidOf(ID)).not.toBe(txidOf(ID.replace('ab', 'ac')))
  })
})
