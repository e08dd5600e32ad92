import type { Page } from 'playwright-core'
import { logIn, openBrowser } from '@balcao/e2e/browser.ts'
import { DONA } from '@balcao/e2e/ready-conta.ts'

const SENDS = 40
const OPENED_CHATS = 20
const CLICK_MS = 300
const KEY_MS = 60

export interface BrowserTimes {
  /** From Enter to the message shown as sent, measured in the page, in milliseconds. */
  readonly sends: readonly number[]
  /**
   * From each click or key to the next frame, measured by the browser in milliseconds. The browser reports only 16
   * ms or more.
   */
  readonly interactions: readonly number[]
}

export async function measureInBrowser(url: string, conversaId: string): Promise<BrowserTimes> {
  const browser = await openBrowser()
  try {
    const page = await (await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })).newPage()
    await logIn(page, url, DONA)
    await page.waitForURL('**/dashboard*')
    await page.goto(`${url}/dashboard?aba=atendimento&c=${conversaId}`)
    await page.getByPlaceholder(/Escreva/).waitFor()
    const envios: number[] = []
    for (let vez = 0; vez < SENDS; vez += 1) envios.push(await sendInPage(page, `resposta ${vez} da medida`))
    return { sends: envios, interactions: await interact(page) }
  } finally {
    await browser.close()
  }
}

async function sendInPage(page: Page, text: string): Promise<number> {
  const field = page.getByPlaceholder(/Escreva/)
  await field.fill(text)
  const medida = page.evaluate(
    (written) =>
      new Promise<number>((resolve) => {
        let start = 0
        const confirmed = (): boolean =>
          [...document.querySelectorAll('[data-mensagem]')].some(
            ({ textContent }) => textContent.includes(written) && /Enviada|Entregue|Lida/.test(textContent),
          )
        addEventListener('keydown', () => (start = performance.now()), { capture: true, once: true })
        const olheiro = new MutationObserver(() => {
          if (!confirmed()) return
          olheiro.disconnect()
          resolve(performance.now() - start)
        })
        olheiro.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
      }),
    text,
  )
  await field.press('Enter')
  return medida
}

async function interact(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const duracoes = new Map<number, number>()
    const opcoes = { type: 'event', durationThreshold: 16 }
    new PerformanceObserver((lista) => {
      for (const event of lista.getEntriesByType('event')) {
        if (!('interactionId' in event) || typeof event.interactionId !== 'number' || event.interactionId === 0)
          continue
        duracoes.set(event.interactionId, Math.max(duracoes.get(event.interactionId) ?? 0, event.duration))
      }
    }).observe(opcoes)
    Object.assign(window, { duracoes })
  })
  const cartoes = page.getByRole('list', { name: 'Conversas' }).getByRole('link')
  const mensagens = page.getByRole('log', { name: 'Mensagens' }).getByRole('listitem')
  for (let vez = 0; vez < OPENED_CHATS; vez += 1) {
    const row = await cartoes.nth(vez % 8).boundingBox()
    if (row === null) throw new Error('conversa out of view')
    await page.mouse.click(row.x + row.width / 2, row.y + row.height / 2)
    // Playwright looks for roles inside the page. Right after the click that work would delay the measured frame.
    await page.waitForTimeout(CLICK_MS)
    await mensagens.first().waitFor()
  }
  await page.getByRole('searchbox').first().pressSequentially('cliente 12', { delay: KEY_MS })
  await page
    .getByPlaceholder(/Escreva/)
    .first()
    .pressSequentially('bom dia', { delay: KEY_MS })
  await page.waitForTimeout(500)
  return page.evaluate(() => {
    const measures: unknown = 'duracoes' in window ? window.duracoes : null
    return measures instanceof Map ? [...measures.values()].map(Number) : []
  })
}
