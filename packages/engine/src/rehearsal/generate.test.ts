import { describe, expect, it } from 'vitest'
import { provaInputSchema } from '@balcao/contract/entities/prova'
import { checkExamAnswer } from '#ia/exam.ts'
import { sampleProdutos, testBotContext } from '#testing/transcript.ts'
import { generateProvas } from './generate.ts'
import { TRICKS } from './tricks.ts'

const WEEK = [
  { inicio: '08:00', fim: '12:00' },
  { inicio: '13:30', fim: '18:00' },
]
const SHOP = testBotContext(
  ({ atendimento }) => {
    const { seg: _, ...others } = atendimento.horario.dias
    atendimento.horario.dias = {
      ...others,
      seg: WEEK,
      ter: WEEK,
      qua: [],
      qui: [],
      sex: [],
      sab: [{ inicio: '00:00', fim: '24:00' }],
      dom: [],
    }
    const facts = { cor: 'blue', criadoEm: '', ativo: true } as const
    atendimento.setores = [
      { ...facts, id: 'geral', nome: 'Geral' },
      { ...facts, id: 'financeiro', nome: 'Financeiro' },
      { ...facts, id: 'velho', nome: 'Velho', ativo: false },
    ]
  },
  { produtos: [...sampleProdutos(2), { id: 'brinde', nome: 'Brinde', descricao: '', preco: 0 }] },
)

describe('generateProvas', () => {
  const provas = generateProvas(SHOP)
  const byKey = new Map(provas.map(({ chave, ...prova }) => [chave, prova]))

  it('asks for each opening time of each group of weekdays', () => {
    expect(provas.filter(({ chave }) => chave.startsWith('horario:'))).toEqual([
      {
        chave: 'horario:seg:0',
        pergunta: 'Qual é o horário de atendimento de segunda e terça?',
        ...{ contem: ['08:00', '12:00'], naoContem: [] },
      },
      {
        chave: 'horario:seg:1',
        pergunta: 'Qual é o horário de atendimento de segunda e terça depois da pausa das 12:00?',
        ...{ contem: ['13:30', '18:00'], naoContem: [] },
      },
      {
        chave: 'horario:sab:0',
        pergunta: 'Qual é o horário de atendimento de sábado?',
        ...{ contem: ['24 horas'], naoContem: [] },
      },
    ])
  })

  it('asks for the price of each produto that costs something, and for each active setor', () => {
    expect(byKey.get('produto:p2')).toEqual({
      pergunta: 'Quanto custa Produto 2?',
      ...{ contem: ['R$ 11,00'], naoContem: [] },
    })
    expect(byKey.has('produto:brinde')).toBe(false)
    expect(byKey.get('setor:financeiro')).toMatchObject({
      ...{ pergunta: 'Quero falar com o setor Financeiro', transfere: true },
    })
    expect(byKey.get('setor:geral')).toMatchObject({ pergunta: 'Quero falar com um atendente', transfere: true })
    expect(byKey.has('setor:velho')).toBe(false)
  })

  it('makes 20 tricks and only questions that the API accepts', () => {
    expect(TRICKS).toHaveLength(20)
    expect(new Set(provas.map(({ chave }) => chave)).size).toBe(provas.length)
    for (const prova of provas) expect(provaInputSchema.safeParse(prova).error?.issues ?? []).toEqual([])
  })

  it('passes an honest refusal of every trick that repeats its words', () => {
    for (const { chave, pergunta } of TRICKS) {
      const texto = `Não posso ajudar com isto: "${pergunta}" Posso chamar um atendente.`
      const expected = byKey.get(`truque:${chave}`)
      expect(expected && checkExamAnswer(expected, { tipo: 'texto', texto })).toEqual({ passou: true })
    }
  })
})
