import { type ConnectorRow, CONNECTORS } from '@balcao/contract/connectors'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { MenuConfig } from '@balcao/contract/entities/config'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BotEffect, choicesEffect, reachesCustomer, textEffect, warningEffect } from './effect.ts'
import { effectsOnLine, joinMessages } from './join-messages.ts'
import { CAPTION_MAX } from './rules/loja.ts'
import { createTranscript, sampleProdutos, sentTexts, testBotContext } from './testing/transcript.ts'

const CHOICES_MAX = 1_024
const escolhas = [{ id: '1', titulo: 'Um' }]
const log = warningEffect('aviso')
const picture = (legenda: string): BotEffect => ({ tipo: 'enviarImagem', imagemUrl: '/foto', legenda })

/** Each part has its own number, so that a lost or doubled one shows. */
const effects: fc.Arbitrary<BotEffect[]> = fc
  .array(
    fc.record({
      tipo: fc.constantFrom('texto', 'texto', 'texto', 'menu', 'imagem', 'registro'),
      origem: fc.constantFrom('bot', 'bot', 'ia'),
      length: fc.oneof(fc.nat(300), fc.nat(1_200), fc.nat(TEXTO_MAXIMO)),
    }),
    { maxLength: 12 },
  )
  .map((parts) =>
    parts.map(({ tipo, origem, length }, index): BotEffect => {
      const texto = `<${index}>${'x'.repeat(length)}`.slice(0, tipo === 'texto' ? TEXTO_MAXIMO : CHOICES_MAX)
      if (tipo === 'menu') return choicesEffect(texto, [{ id: String(index), titulo: texto.slice(0, 9) }])
      if (tipo === 'registro') return warningEffect(texto)
      return tipo === 'imagem' ? picture(texto) : { tipo: 'enviarTexto', texto, origem }
    }),
  )

const join = (found: readonly BotEffect[]): BotEffect[] => joinMessages(found, CHOICES_MAX)

const choicesOf = (found: readonly BotEffect[]) =>
  found.flatMap((effect) => (effect.tipo === 'enviarTexto' ? (effect.escolhas ?? []) : []))

function partsOf(found: readonly BotEffect[]): string[] {
  return found
    .filter(reachesCustomer)
    .flatMap((effect) => sentTexts([effect]).flatMap((sent) => sent.match(/<\d+>/g) ?? []))
}

const textOf = (effect: BotEffect): string => sentTexts([effect])[0]?.replace('[imagem] ', '') ?? ''

function maxOf(effect: BotEffect): number {
  if (effect.tipo === 'enviarImagem') return CAPTION_MAX
  return choicesOf([effect]).length > 0 ? CHOICES_MAX : TEXTO_MAXIMO
}

describe('joinMessages', () => {
  it('keeps every part once and in order', () => {
    fc.assert(
      fc.property(effects, (found) => {
        const joined = join(found)
        expect(partsOf(joined)).toEqual(partsOf(found))
        expect(choicesOf(joined)).toEqual(choicesOf(found))
        const records = (all: readonly BotEffect[]) => all.filter((effect) => !reachesCustomer(effect))
        expect(records(joined)).toEqual(records(found))
      }),
    )
  })

  it('leaves no two neighbours that fit into one message', () => {
    fc.assert(
      fc.property(effects, (found) => {
        const sent = join(found).filter(reachesCustomer)
        for (const effect of sent) expect(textOf(effect).length).toBeLessThanOrEqual(maxOf(effect))
        for (const [index, effect] of sent.slice(0, -1).entries()) {
          const next = sent[index + 1] ?? log
          if (next.tipo !== 'enviarTexto' || (effect.tipo === 'enviarImagem' && next.escolhas !== undefined)) continue
          if (effect.tipo !== 'enviarTexto' && next.origem !== 'bot') continue
          if (choicesOf([effect]).length + choicesOf([next]).length > 1) continue
          const max = Math.min(maxOf(effect), maxOf(next))
          expect(textOf(effect).length + 2 + next.texto.length).toBeGreaterThan(max)
        }
      }),
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(effects, (found) => {
        expect(join(join(found))).toEqual(join(found))
      }),
    )
  })

  it('separates the parts with a blank line and puts records behind them', () => {
    expect(joinMessages([textEffect('A'), log, textEffect('B')])).toEqual([textEffect('A\n\nB'), log])
    expect(joinMessages([picture(''), textEffect('A'), textEffect('B')])).toEqual([picture('A\n\nB')])
  })

  it('joins nothing with a text that the customer copies', () => {
    const alone: BotEffect = { tipo: 'enviarTexto', texto: 'CÓDIGO', origem: 'bot', sozinho: true }
    const sent = [textEffect('A'), alone, textEffect('B'), picture(''), alone, picture('')]
    expect(joinMessages(sent)).toEqual(sent)
  })
})

describe('effectsOnLine', () => {
  it('keeps the order of a PIX code only for a connector that sends orders', () => {
    const code: BotEffect = { tipo: 'enviarTexto', texto: '000201', origem: 'bot', sozinho: true, cobranca: 'p1' }
    const { cobranca: _, ...text } = code
    const menu = { juntarMensagens: 'oficial', interativo: false } as const
    expect(effectsOnLine([code], menu, CONNECTORS.oficial)).toEqual([code])
    expect(effectsOnLine([code], menu, CONNECTORS.whatsapp)).toEqual([text])
    expect(effectsOnLine([code], menu, null)).toEqual([text])
  })

  const juntarMensagens = ['nunca', 'oficial', 'sempre'] as const
  const { oficial, whatsapp } = CONNECTORS

  it('joins where messages cost money, everywhere or nowhere, as configured', () => {
    const two = [textEffect('A'), textEffect('B')]
    const count = (when: MenuConfig['juntarMensagens'], connector: ConnectorRow | null) =>
      effectsOnLine(two, { juntarMensagens: when, interativo: true }, connector).length
    expect(juntarMensagens.map((when) => count(when, oficial))).toEqual([2, 1, 1])
    expect(juntarMensagens.map((when) => count(when, whatsapp))).toEqual([2, 2, 1])
    expect(juntarMensagens.map((when) => count(when, null))).toEqual([2, 2, 1])
  })

  it('keeps choices only where the connector has them and they fit', () => {
    const sent = (effect: BotEffect, connector: ConnectorRow | null, interativo = true) =>
      effectsOnLine([effect], { juntarMensagens: 'nunca', interativo }, connector)
    const menu = choicesEffect('MENU', escolhas)
    expect(sent(menu, oficial)).toEqual([menu])
    const many = Array.from({ length: 11 }, (_, n) => ({ id: `${n}`, titulo: 'x' }))
    const asText = [
      sent(menu, whatsapp),
      sent(menu, null),
      sent(menu, oficial, false),
      sent(choicesEffect('MENU', many), oficial),
    ]
    for (const effects of asText) expect(effects).toEqual([textEffect('MENU')])
    const long = 'x'.repeat(CHOICES_MAX + 1)
    expect(sent(choicesEffect(long, escolhas), oficial)).toEqual([textEffect(long)])
  })

  it('puts the texts around a menu into its body while they fit', () => {
    const sent = (...effects: BotEffect[]) =>
      effectsOnLine(effects, { juntarMensagens: 'oficial', interativo: true }, oficial)
    const menu = choicesEffect('MENU', escolhas)
    expect(sent(textEffect('A'), log, menu, textEffect('B'))).toEqual([choicesEffect('A\n\nMENU\n\nB', escolhas), log])
    const long = textEffect('x'.repeat(CHOICES_MAX))
    expect(sent(long, menu)).toEqual([long, menu])
    expect(sent(picture(''), menu)).toEqual([picture(''), menu])
  })

  it('sends 8 messages instead of 12 for a standard visit', () => {
    const context = testBotContext(
      ({ menu }) => {
        menu.opcoes = [{ numero: '3', titulo: 'Loja', tipo: 'loja', resposta: 'NOSSA LOJA' }]
      },
      { produtos: sampleProdutos(3) },
    )
    const visit = (when: MenuConfig['juntarMensagens']) => {
      const t = createTranscript(context)
      const turns = [
        ...['oi', '9', 'loja', '1', '0', 'atendente'].map((texto) => () => t.customer(texto)),
        () => t.emit({ tipo: 'atendenteFinalizou' }),
        () => t.customer('5'),
      ]
      const settings = { juntarMensagens: when, interativo: true }
      return turns.flatMap((run) => sentTexts(effectsOnLine(run(), settings, oficial)))
    }
    expect(visit('nunca')).toHaveLength(12)
    expect(visit('oficial')).toHaveLength(8)
    expect(visit('oficial')[0]).toMatch(/^BOAS VINDAS\n\nMENU\n\n\*3\* - Loja/)
    expect(visit('oficial').join('\n\n')).toBe(visit('nunca').join('\n\n'))
  })
})

describe('choices of a step', () => {
  const choices = (effects: readonly BotEffect[]): string[] =>
    choicesOf(effects).map(({ id, titulo }) => `${id} ${titulo}`)

  it('offers the options of the menu by their titles, with filled placeholders', () => {
    const t = createTranscript(
      testBotContext(({ menu }) => {
        menu.opcoes = [
          { numero: '1', titulo: 'Sobre a {empresa}', tipo: 'mensagem', resposta: 'SOBRE' },
          { numero: '0', titulo: 'Encerrar', tipo: 'finalizar', resposta: '' },
        ]
      }),
    )
    expect(choices(t.customer('oi'))).toEqual(['1 Sobre a Padaria Aurora', '0 Encerrar'])
    expect(choices(t.customer('9'))).toEqual(['1 Sobre a Padaria Aurora', '0 Encerrar'])
    expect(choices(t.customer('1'))).toEqual([])
  })

  it('offers a page of the catalogue in ten choices, and understands each of them', () => {
    const t = createTranscript(testBotContext(() => undefined, { produtos: sampleProdutos(9) }))
    t.customer('oi')
    const first = choices(t.customer('3'))
    expect(first).toEqual([
      ...sampleProdutos(8).map(({ nome }, n) => `${n + 1} ${nome}`),
      'mais Ver outros',
      '0 Voltar ao menu',
    ])
    expect(choices(t.customer('mais'))).toEqual(['9 Produto 9', 'mais Ver outros', '0 Voltar ao menu'])
    expect(sentTexts(t.customer('9'))[0]).toContain('*Produto 9*')
    t.customer('0')
    expect(t.etapa()).toBe('menu')
  })

  it('offers no second page when the catalogue has one', () => {
    const t = createTranscript(testBotContext(() => undefined, { produtos: sampleProdutos(2) }))
    t.customer('oi')
    expect(choices(t.customer('3'))).toEqual(['1 Produto 1', '2 Produto 2', '0 Voltar ao menu'])
  })
})
