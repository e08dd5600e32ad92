import { Buffer } from 'node:buffer'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { createApiClient } from './api.ts'
import { createHand, type Hand } from './hand.ts'
import { at } from './ready-conta.ts'

/** The shell starts faster than the whole browser, but it shows no notifications. */
export async function openBrowser(kind: 'shell' | 'whole' = 'shell'): Promise<Browser> {
  const shell = kind === 'shell' ? process.env['CHROME_SHELL_BIN'] : undefined
  return chromium.launch({
    executablePath: shell ?? process.env['CHROME_BIN'] ?? '/usr/bin/chromium',
    // Without a locale, Chromium changes accented file names of downloads.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
}

export async function logIn(
  page: Page,
  url: string,
  { email, senha }: { email: string; senha: string },
  hand: Hand = createHand(),
): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(senha)
  await hand.click(page.getByRole('button', { name: 'Entrar', exact: true }))
}

/** Opens a page with a session, without the two loads of a login. Each load stores the session, so no logout lasts. */
export async function openLoggedIn(
  context: BrowserContext,
  url: string,
  { email, senha }: { email: string; senha: string },
): Promise<Page> {
  const answer = await createApiClient(url).post('/auth/login', { email, senha })
  const session = { token: String(at(answer, 'token')), user: JSON.stringify(at(answer, 'usuario')) }
  await context.addInitScript(({ token, user }) => {
    localStorage.setItem('user', user)
    localStorage.setItem('token', token)
  }, session)
  return context.newPage()
}

/** A real JPEG, drawn by the browser. */
export async function drawPicture(page: Page, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate(
    ([width, height]) => {
      const screen = Object.assign(document.createElement('canvas'), { width, height })
      const brush = screen.getContext('2d')
      if (brush !== null) brush.fillStyle = 'goldenrod'
      brush?.fillRect(width / 8, height / 5, width / 2, height / 2)
      return screen.toDataURL('image/jpeg')
    },
    [width, height] as const,
  )
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}
