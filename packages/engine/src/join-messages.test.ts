import { CONNECTORS } from '@balcao/contract/connectors'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { MenuConfig } from '@balcao/contract/entities/config'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BotEffect, reachesCustomer, textEffect, warningEffect } from './effect.ts'
import { effectsOnLine, joinMessages } from './join-messages.ts'
import { CAPTION_MAX } from './rules/loja.ts'
import { createTranscript, sampleProdutos, sentTexts, testBotContext } from './testing/transcript.ts'

const log = warningEffect('aviso')
const picture = (legenda: string): BotEffect => ({ tipo: 'enviarImagem', imagemUrl: '/foto', legenda })

/** Each part has its own number, so that a lost or doubled one shows. */
const effects: fc.Arbitrary<BotEffect[]> = fc
  .array(
    fc.record({
      tipo: fc.constantFrom('texto', 'texto', 'texto', 'imagem', 'registro'),
      origem: fc.constantFrom('bot', 'bot', 'ia'),
      length: fc.oneof(fc.nat(300), fc.nat(1_200), fc.nat(TEXTO_MAXIMO)),
    }),
    { maxLength: 12 },
  )
  .map((parts) =>
    parts.map(({ tipo, origem, length }, index): BotEffect => {
      const texto = `<${index}>${'x'.repeat(length)}`.slice(0, tipo === 'imagem' ? CAPTION_MAX : TEXTO_MAXIMO)
      if (tipo === 'registro') return warningEffect(texto)
      return tipo === 'imagem' ? picture(texto) : { tipo: 'enviarTexto', texto, origem }
    }),
  )

function partsOf(found: readonly BotEffect[]): string[] {
  return found
    .filter(reachesCustomer)
    .flatMap((effect) => sentTexts([effect]).flatMap((sent) => sent.match(/<\d+>/g) ?? []))
}

describe('joinMessages', () => {
  it('keeps every part once and in order', () => {
    fc.assert(
      fc.property(effects, (found) => {
        const joined = joinMessages(found)
        expect(partsOf(joined)).toEqual(partsOf(found))
        const records = (all: readonly BotEffect[]) => all.filter((effect) => !reachesCustomer(effect))
        expect(records(joined)).toEqual(records(found))
      }),
    )
  })

  it('leaves no two neighbours that fit into one message', () => {
    fc.assert(
      fc.property(effects, (found) => {
        const sent = joinMessages(found).filter(reachesCustomer)
        for (const [index, effect] of sent.entries()) {
          const next = sent[index + 1]
          if (effect.tipo === 'enviarTexto') expect(effect.texto.length).toBeLessThanOrEqual(TEXTO_MAXIMO)
          if (effect.tipo === 'enviarImagem') expect(effect.legenda.length).toBeLessThanOrEqual(CAPTION_MAX)
          if (next?.tipo !== 'enviarTexto') continue
          if (effect.tipo === 'enviarTexto' && effect.origem === next.origem)
            expect(effect.texto.length + 2 + next.texto.length).toBeGreaterThan(TEXTO_MAXIMO)
          if (effect.tipo === 'enviarImagem' && next.origem === 'bot')
            expect(effect.legenda.length + 2 + next.texto.length).toBeGreaterThan(CAPTION_MAX)
        }
      }),
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(effects, (found) => {
        expect(joinMessages(joinMessages(found))).toEqual(joinMessages(found))
      }),
    )
  })

  it('separates the parts with a blank line and puts records behind them', () => {
    expect(joinMessages([textEffect('A'), log, textEffect('B')])).toEqual([textEffect('A\n\nB'), log])
    expect(joinMessages([picture(''), textEffect('A'), textEffect('B')])).toEqual([picture('A\n\nB')])
  })
})

describe('effectsOnLine', () => {
  const juntarMensagens = ['nunca', 'oficial', 'sempre'] as const

  it('joins where messages cost money, everywhere or nowhere, as configured', () => {
    const two = [textEffect('A'), textEffect('B')]
    const count = (when: MenuConfig['juntarMensagens'], connector: keyof typeof CONNECTORS) =>
      effectsOnLine(two, { juntarMensagens: when }, CONNECTORS[connector]).length
    expect(juntarMensagens.map((when) => count(when, 'oficial'))).toEqual([2, 1, 1])
    expect(juntarMensagens.map((when) => count(when, 'whatsapp'))).toEqual([2, 2, 1])
    expect(effectsOnLine(two, { juntarMensagens: 'oficial' }, null)).toHaveLength(2)
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
      return turns.flatMap((run) => sentTexts(effectsOnLine(run(), { juntarMensagens: when }, CONNECTORS.oficial)))
    }
    expect(visit('nunca')).toHaveLength(12)
    expect(visit('oficial')).toHaveLength(8)
    expect(visit('oficial')[0]).toMatch(/^BOAS VINDAS\n\nMENU\n\n\*3\* - Loja/)
    expect(visit('oficial').join('\n\n')).toBe(visit('nunca').join('\n\n'))
  })
})
