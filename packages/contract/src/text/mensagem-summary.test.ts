import { describe, expect, it } from 'vitest'
import { sampleMensagem } from '#testing/samples.ts'
import { filesAndLinksOf } from './mensagem-summary.ts'

const linksOf = (fields: Parameters<typeof sampleMensagem>[0]) => filesAndLinksOf(sampleMensagem(fields))

describe('filesAndLinksOf', () => {
  it('returns the file before the links, and the links without the punctuation behind them', () => {
    const midia = { tipo: 'documento', url: '/api/midias/a.pdf' } as const
    const texto = 'Veja https://aurora.com.br/bolos, e (www.aurora.com.br).'
    expect(linksOf({ texto, midia })).toMatchObject([
      { mensagemId: 'm1', autor: 'Marina', nossa: false, midia },
      { link: 'https://aurora.com.br/bolos' },
      { link: 'www.aurora.com.br' },
    ])
  })

  it('returns the links of the edit, and no sticker and no file that was not stored', () => {
    expect(linksOf({ texto: 'https://a.com', edicao: 'https://b.com' })).toMatchObject([{ link: 'https://b.com' }])
    expect(linksOf({ midia: { tipo: 'figurinha', url: '/api/midias/a.webp' } })).toEqual([])
    expect(linksOf({ midia: { tipo: 'imagem' } })).toEqual([])
  })
})
