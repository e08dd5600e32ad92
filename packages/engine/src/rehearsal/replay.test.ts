import { describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import type { IaResult } from '#event.ts'
import { NO_CONSENT } from '#state.ts'
import { createTranscript, MONDAY_10H, sentTexts, testBotContext } from '#testing/transcript.ts'
import { foldQuestion, maskedName, ReplayedDialogue, type ReplayItem, UNKNOWN_ANSWER } from './replay.ts'

const MINUTE = 60_000
const withPeople = (config: Config): void => {
  config.menu.opcoes = [
    { numero: '1', titulo: 'Horários', tipo: 'mensagem', resposta: 'HORARIOS' },
    { numero: '2', titulo: 'Financeiro', tipo: 'humano', resposta: '', setor: 'geral' },
    { numero: '3', titulo: 'Dúvidas', tipo: 'ia', resposta: 'PERGUNTE' },
  ]
}
const SHOP = testBotContext(withPeople, { iaAvailable: true })

function dialogue(kept: Readonly<Record<string, IaResult>> = {}, context = SHOP): ReplayedDialogue {
  return new ReplayedDialogue({
    ...{ context, contato: { nome: 'A*** S.', telefone: '' }, consent: NO_CONSENT, connector: null },
    keptAnswer: (question) => kept[question] ?? null,
  })
}

const says = (texto: string, minute: number): ReplayItem => ({
  ...{ tipo: 'cliente', id: `m${minute}`, texto, em: MONDAY_10H + minute * MINUTE },
})
const answered = (texto: string, minute: number): ReplayItem => ({
  ...{ tipo: 'ia', resultado: { tipo: 'texto', texto }, em: MONDAY_10H + minute * MINUTE },
})

describe('ReplayedDialogue', () => {
  it('says what the engine says to the same messages', () => {
    const texts = ['oi', '1', 'xyz', 'menu', '2']
    const transcript = createTranscript(SHOP)
    const expected = texts.flatMap((text) => sentTexts(transcript.customer(text)))
    const played = dialogue().play(texts.map((text, index) => says(text, index / 60)))
    expect(played).toEqual({ textos: expected, setores: ['geral'] })
    expect(expected.length).toBeGreaterThan(4)
  })

  it('gives a kept answer in its place, and drops it when the AI is not asked', () => {
    const items = [says('oi', 0), says('3', 1), says('tem bolo?', 2), answered('TEMOS', 2.1), says('obrigada', 3)]
    expect(dialogue().play(items).textos).toContain('TEMOS')
    expect(dialogue({}, { ...SHOP, iaAvailable: false }).play(items).textos).not.toContain('TEMOS')
  })

  it('takes the answer to the same question of another customer, else stands in for it', () => {
    const items = [says('oi', 0), says('3', 1), says('Tem BOLO?', 2)]
    const kept = { [foldQuestion('tem bolo?')]: { tipo: 'texto', texto: 'TEMOS' } } as const
    expect(dialogue(kept).play(items).textos.at(-1)).toBe('TEMOS')
    expect(dialogue().play(items).textos.at(-1)).toBe(UNKNOWN_ANSWER)
    const transfers = { [foldQuestion('tem bolo?')]: { tipo: 'transferir', setor: 'geral' } } as const
    expect(dialogue(transfers).play(items)).toMatchObject({ setores: ['geral'] })
  })

  it('keeps silent while a person serves, and greets again after the end', () => {
    const bot = dialogue()
    const end = { tipo: 'fim', como: 'semDespedida', em: MONDAY_10H + 4 * MINUTE } as const
    const person = { tipo: 'operador', em: MONDAY_10H + 2 * MINUTE } as const
    const first = bot.play([says('oi', 0), says('2', 1), person, says('1', 3), end])
    expect(first.textos).not.toContain('HORARIOS')
    expect(bot.play([says('oi', 30)]).textos[0]).toBe('BOAS VINDAS')
  })

  it('counts the messages as they leave on the line', () => {
    const joining = testBotContext((config) => {
      withPeople(config)
      config.menu.juntarMensagens = 'sempre'
    })
    expect(dialogue({}, joining).play([says('oi', 0)]).textos).toHaveLength(1)
    expect(dialogue().play([says('oi', 0)]).textos).toHaveLength(2)
  })
})

describe('maskedName', () => {
  it.each([
    ['Ana Souza', 'A*** S.'],
    ['  ana  maria de souza ', 'A*** S.'],
    ['Ana', 'A***'],
    ['', 'Cliente'],
  ])('masks %j as %j', (nome, masked) => expect(maskedName(nome)).toBe(masked))
})
