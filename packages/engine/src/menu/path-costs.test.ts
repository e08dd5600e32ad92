import { type ConnectorRow, CONNECTORS } from '@balcao/contract/connectors'
import type { MenuConfig, OpcaoMenu } from '@balcao/contract/entities/config'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reachesCustomer } from '#effect.ts'
import type { BotContext } from '#context.ts'
import { effectsOnLine } from '#join-messages.ts'
import { createTranscript, MONDAY_10H, sampleProdutos, testBotContext } from '#testing/transcript.ts'
import { messagesCents, pathCosts } from './path-costs.ts'

const SUNDAY = MONDAY_10H - 86_400_000
const TITLES = ['Alfa', 'Beta', 'Gama', 'Delta', 'Épsilon', 'Zeta']
const JOINS: readonly MenuConfig['juntarMensagens'][] = ['nunca', 'oficial', 'sempre']
const KINDS: readonly OpcaoMenu['tipo'][] = ['ia', 'humano', 'mensagem', 'menu', 'loja', 'finalizar']

/** Far from the limits of a joined message, so that the length of a name decides nothing. */
const texts = fc.constantFrom('', 'x'.repeat(20), 'x'.repeat(600), 'x'.repeat(2_500))

const shops = fc.record({
  opcoes: fc.array(fc.record({ tipo: fc.constantFrom(...KINDS), resposta: texts }), { minLength: 1, maxLength: 6 }),
  boasVindas: texts,
  despedida: texts,
  aguardandoAtendente: texts,
  juntarMensagens: fc.constantFrom(...JOINS),
  interativo: fc.boolean(),
  avaliacao: fc.boolean(),
  iaAvailable: fc.boolean(),
  produtos: fc.nat(3),
  oficial: fc.boolean(),
})

function contextOf(shop: typeof shops extends fc.Arbitrary<infer Shop> ? Shop : never): BotContext {
  const { opcoes, boasVindas, despedida, aguardandoAtendente, avaliacao, juntarMensagens, interativo } = shop
  return testBotContext(
    ({ menu, atendimento }) => {
      menu.opcoes = opcoes.map((opcao, index) => ({
        ...{ numero: String(index + 1), titulo: TITLES[index] ?? 'Eta' },
        ...opcao,
      }))
      menu.mensagens = { ...menu.mensagens, boasVindas, despedida, aguardandoAtendente }
      menu.juntarMensagens = juntarMensagens
      menu.interativo = interativo
      atendimento.avaliacao = { ...atendimento.avaliacao, ativa: avaliacao }
    },
    { produtos: sampleProdutos(shop.produtos), iaAvailable: shop.iaAvailable },
  )
}

interface Visit {
  readonly greeting: string
  readonly choice: string
}

/** The messages of one visit, counted as the server sends them. */
function visit(context: BotContext, connector: ConnectorRow, { greeting, choice }: Visit): number {
  const t = createTranscript(context)
  const sent = [t.customer(greeting), t.customer(choice)]
  if (t.etapa() === 'humano') {
    sent.push(t.emit({ tipo: 'atendenteFinalizou' }))
    if (t.etapa() === 'avaliando') sent.push(t.customer('5'))
  }
  return sent.flatMap((effects) => effectsOnLine(effects, context.config.menu, connector).filter(reachesCustomer))
    .length
}

describe('pathCosts', () => {
  it('equals 1,000 simulated visits of shops with any menu', () => {
    const visits = fc.record({
      shop: shops,
      at: fc.nat(5),
      byTitle: fc.boolean(),
      greeting: fc.constantFrom('oi', 'bom dia'),
    })
    fc.assert(
      fc.property(visits, ({ shop, at, byTitle, greeting }) => {
        const context = contextOf(shop)
        const connector = shop.oficial ? CONNECTORS.oficial : CONNECTORS.whatsapp
        const { opcoes } = context.config.menu
        const index = at % opcoes.length
        const { numero, titulo } = opcoes[index] ?? { numero: '', titulo: '' }
        const cost = pathCosts(context, connector, MONDAY_10H)[index]
        const choice = byTitle ? titulo : numero
        expect(cost).toEqual({ numero, mensagens: visit(context, connector, { greeting, choice }) })
      }),
      { numRuns: 1_000, seed: 20_261_129 },
    )
  })

  it('counts joined messages once, and the end with people', () => {
    const context = testBotContext(({ menu }) => {
      menu.opcoes = [
        { numero: '1', titulo: 'Preços', tipo: 'mensagem', resposta: 'PREÇOS' },
        { numero: '2', titulo: 'Pessoa', tipo: 'humano', resposta: '' },
      ]
    })
    const on = (connector: ConnectorRow) => pathCosts(context, connector, MONDAY_10H).map(({ mensagens }) => mensagens)
    // Greeting with menu, answer; greeting with menu, call, goodbye with question, thanks.
    expect(on(CONNECTORS.oficial)).toEqual([2, 4])
    expect(on(CONNECTORS.whatsapp)).toEqual([3, 6])
  })

  it('counts no text about closing times at a closed hour', () => {
    const context = testBotContext()
    expect(pathCosts(context, CONNECTORS.oficial, SUNDAY)).toEqual(pathCosts(context, CONNECTORS.oficial, MONDAY_10H))
  })

  it('rounds the price of a visit half up', () => {
    expect([messagesCents(4, 34_500), messagesCents(1, 5_000), messagesCents(3, 0)]).toEqual([14, 1, 0])
  })
})
