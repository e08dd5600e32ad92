import type { Page } from 'playwright-core'
import { entrar, openBrowser } from '@balcao/e2e/browser.ts'
import { DONA } from '@balcao/e2e/loja-pronta.ts'

const ENVIOS = 40
const ABERTAS = 20
const CLIQUE_MS = 300
const TECLA_MS = 60

export interface NoNavegador {
  /** From Enter to the message shown as sent, measured in the page, in milliseconds. */
  readonly envios: readonly number[]
  /**
   * From each click or key to the next frame, measured by the browser in milliseconds. The browser reports only 16
   * ms or more.
   */
  readonly interacoes: readonly number[]
}

export async function medirNoNavegador(url: string, conversaId: string): Promise<NoNavegador> {
  const browser = await openBrowser()
  try {
    const page = await (await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })).newPage()
    await entrar(page, url, DONA)
    await page.waitForURL('**/dashboard*')
    await page.goto(`${url}/dashboard?aba=atendimento&c=${conversaId}`)
    await page.getByPlaceholder(/Escreva/).waitFor()
    const envios: number[] = []
    for (let vez = 0; vez < ENVIOS; vez += 1) envios.push(await enviar(page, `resposta ${vez} da medida`))
    return { envios, interacoes: await interagir(page) }
  } finally {
    await browser.close()
  }
}

async function enviar(page: Page, texto: string): Promise<number> {
  const campo = page.getByPlaceholder(/Escreva/)
  await campo.fill(texto)
  const medida = page.evaluate(
    (escrito) =>
      new Promise<number>((resolve) => {
        let inicio = 0
        const confirmada = (): boolean =>
          [...document.querySelectorAll('[data-mensagem]')].some(
            ({ textContent }) => textContent.includes(escrito) && /Enviada|Entregue|Lida/.test(textContent),
          )
        addEventListener('keydown', () => (inicio = performance.now()), { capture: true, once: true })
        const olheiro = new MutationObserver(() => {
          if (!confirmada()) return
          olheiro.disconnect()
          resolve(performance.now() - inicio)
        })
        olheiro.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
      }),
    texto,
  )
  await campo.press('Enter')
  return medida
}

async function interagir(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const duracoes = new Map<number, number>()
    const opcoes = { type: 'event', durationThreshold: 16 }
    new PerformanceObserver((lista) => {
      for (const evento of lista.getEntriesByType('event')) {
        if (!('interactionId' in evento) || typeof evento.interactionId !== 'number' || evento.interactionId === 0)
          continue
        duracoes.set(evento.interactionId, Math.max(duracoes.get(evento.interactionId) ?? 0, evento.duration))
      }
    }).observe(opcoes)
    Object.assign(window, { duracoes })
  })
  const cartoes = page.getByRole('list', { name: 'Conversas' }).getByRole('link')
  const mensagens = page.getByRole('log', { name: 'Mensagens' }).getByRole('listitem')
  for (let vez = 0; vez < ABERTAS; vez += 1) {
    await cartoes.nth(vez % 8).click()
    await mensagens.first().waitFor()
    await page.waitForTimeout(CLIQUE_MS)
  }
  await page.getByRole('searchbox').first().pressSequentially('cliente 12', { delay: TECLA_MS })
  await page
    .getByPlaceholder(/Escreva/)
    .first()
    .pressSequentially('bom dia', { delay: TECLA_MS })
  await page.waitForTimeout(500)
  return page.evaluate(() => {
    const medidas: unknown = 'duracoes' in window ? window.duracoes : null
    return medidas instanceof Map ? [...medidas.values()].map(Number) : []
  })
}
