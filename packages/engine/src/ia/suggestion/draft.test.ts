import { describe, expect, it } from 'vitest'
import { MONDAY_10H, sampleProdutos, testBotContext } from '#testing/transcript.ts'
import { buildDraftPrompt, readSuggestion, sourcesOf } from './draft.ts'

const [caneca] = sampleProdutos(1)
const contexto = {
  ...testBotContext(({ ia }) => {
    ia.promptTreinamento = 'Trocas em até sete dias, com a nota fiscal da compra.'
  }),
  produtos: [{ ...caneca, id: 'p', nome: 'Caneca azul', descricao: '', preco: 39.9 }],
}
const trechos = [
  { fonteId: 'f', titulo: 'Entrega', trecho: 'A entrega na Vila Mariana custa R$ 8,00 e leva uma hora.', pontuacao: 1 },
  { fonteId: 'g', titulo: 'Vagas', trecho: 'Procuramos pessoas para a cozinha.', pontuacao: 0.1 },
]
const sources = (draft: string) => sourcesOf(draft, { contexto, trechos })

describe('buildDraftPrompt', () => {
  it('has the data of the shop and asks for a draft of a person', () => {
    const prompt = buildDraftPrompt({ contexto, nomeCliente: 'Ana', agora: MONDAY_10H })
    expect(prompt).toContain('Caneca azul')
    expect(prompt).toContain('rascunho da próxima mensagem')
    expect(prompt.endsWith('SEM_SUGESTAO')).toBe(true)
  })
})

describe('readSuggestion', () => {
  it('returns null when the model found nothing', () => {
    expect([' SEM_SUGESTAO ', 'Desculpe. SEM_SUGESTAO', ' \n'].map(readSuggestion)).toEqual([null, null, null])
    expect(readSuggestion('**Temos** sim!')).toBe('*Temos* sim!')
  })
})

describe('sourcesOf', () => {
  it('names the product, the hours, the source and the instructions that have the words of the draft', () => {
    expect(sources('As canecas azuis custam R$ 39,90.')).toEqual([])
    expect(sources('A caneca azul custa R$ 39,90.').map(({ titulo }) => titulo)).toEqual([
      expect.stringMatching(/^Caneca azul, R\$\s39,90$/),
    ])
    expect(sources('Abrimos às 8h.')).toEqual([{ titulo: 'Horário de atendimento' }])
    expect(sources('A entrega na Vila Mariana leva uma hora.')).toEqual([{ titulo: 'Entrega', fonteId: 'f' }])
    expect(sources('Traga a nota fiscal em sete dias da compra.')).toEqual([{ titulo: 'Orientações da aba IA' }])
  })

  it('is empty for a draft that the shop said nothing about', () => {
    expect(sources('Nós temos estacionamento coberto para clientes.')).toEqual([])
  })

  it('names a source once', () => {
    const twice = { contexto, trechos: [...trechos, ...trechos] }
    expect(sourcesOf('A entrega na Vila Mariana leva uma hora.', twice)).toHaveLength(1)
  })
})
