import type { Page } from 'playwright-core'
import { openBrowser } from '@balcao/e2e/browser.ts'
import { DONA } from '@balcao/e2e/loja-pronta.ts'

const ENVIOS = 40

/** From Enter in the operator's browser to the message shown as sent, as the page itself sees both; milliseconds. */
export async function medirEnvioNoNavegador(url: string, nomeDoCliente: string): Promise<number[]> {
  const browser = await openBrowser()
  try {
    const page = await (await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })).newPage()
    await page.goto(`${url}/login`)
    await page.getByLabel('E-mail').fill(DONA.email)
    await page.getByLabel('Senha', { exact: true }).fill(DONA.senha)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.waitForURL('**/dashboard*')
    await page.goto(`${url}/dashboard?aba=atendimento`)
    await page.getByText(nomeDoCliente).first().click()
    const tempos: number[] = []
    for (let vez = 0; vez < ENVIOS; vez += 1) tempos.push(await enviar(page, `resposta ${vez} da medida`))
    return tempos
  } finally {
    await browser.close()
  }
}

async function enviar(page: Page, texto: string): Promise<number> {
  const campo = page.getByRole('textbox', { name: 'Mensagem' })
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
