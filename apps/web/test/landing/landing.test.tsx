import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { recordEarlyClicks } from '#landing/early-clicks.ts'
import { hydrateDemoPhone } from '#landing/demo-phone.tsx'
import { renderLanding } from '#landing/prerender.tsx'
import { expectAccessible } from '#test/axe.ts'
import landingCss from '#landing/landing.css?inline'

// The sheet repeats the panel's classes in another order, so it must not stay for the panel's tests.
const sheet = document.createElement('style')
sheet.textContent = landingCss
beforeAll(() => document.head.append(sheet))
afterAll(() => sheet.remove())

beforeEach(() => {
  document.documentElement.lang = 'pt-BR'
  document.title = 'Balcão'
  document.body.innerHTML = renderLanding()
})

afterEach(() => {
  document.body.replaceChildren()
})

const text = (): string => document.body.textContent.replace(/\s+/g, ' ')

function lugarDoSimulador(): HTMLElement {
  const place = document.getElementById('simulador')
  if (place === null) throw new Error('landing page without simulator element')
  return place
}

describe('Landing page before scripts', () => {
  it('shows the six features', () => {
    const cartoes = document.querySelectorAll('#recursos li h3')
    expect([...cartoes].map(({ textContent }) => textContent)).toEqual([
      'Inicie e pare com um clique',
      'Inteligência artificial integrada',
      'Configuração fácil',
      'Logs em tempo real',
      'Segurança e controle de usuários',
      'Disponível 24 horas, 7 dias por semana',
    ])
  })

  it('shows the inbox, the search and the report, each with its size and in words', async () => {
    const pictures = [...document.querySelectorAll('img')]
    expect(pictures.map((img) => [img.getAttribute('src'), img.alt.split(':')[0]])).toEqual([
      ['/painel/atendimento.webp', 'Aba Atendimento'],
      ['/painel/busca.webp', 'Busca do painel'],
      ['/painel/relatorio.webp', 'Relatório'],
    ])
    for (const img of pictures) {
      expect([img.width > 0, img.loading]).toEqual([true, 'lazy'])
      img.loading = 'eager'
      await img.decode()
      expect([img.naturalWidth, img.naturalHeight]).toEqual([1280, 720])
    }
  })

  it('shows the three steps in order', () => {
    const steps = [...document.querySelectorAll('ol li h3')].map(({ textContent }) => textContent)
    expect(steps).toEqual(['Crie sua conta', 'Configure o bot e a chave de IA', 'Inicie o bot e escaneie o QR Code'])
  })

  it('shows the two plans, with a check only on included items', () => {
    const items = [...document.querySelectorAll('#planos li')].map(
      (item) => `${item.querySelector('.lucide-check') === null ? '-' : '✓'} ${item.textContent}`,
    )
    expect(items).toEqual([
      '✓ Até 500 mensagens/dia',
      '- Sem IA',
      '- Menu limitado',
      '✓ Até 1000 mensagens/dia',
      '✓ IA incluída',
      '✓ Menu ilimitado',
      '✓ Suporte pelo WhatsApp',
    ])
    expect(text()).toContain('Gratuito')
    expect(text()).toContain('R$ 10,00/mês')
    expect(text()).toContain('Os limites do plano valem quando o administrador o aplica à sua conta.')
  })

  it('links to login, sign-up, features, terms and privacy', () => {
    const destinations = new Set([...document.querySelectorAll('a')].map((link) => link.getAttribute('href')))
    expect(destinations).toEqual(
      new Set([
        ...['#conteudo', '/', '#recursos', '#planos', '/login', '/terms', '/privacy'],
        ...['/register', '/register?plano=gratuito', '/register?plano=doacao'],
      ]),
    )
    for (const ancora of ['recursos', 'planos', 'conteudo']) expect(document.getElementById(ancora)).not.toBeNull()
  })

  it('shows the year and the disclaimer about WhatsApp and Meta', () => {
    expect(text()).toContain('© 2025 Balcão')
    expect(text()).toContain('sem vínculo com o WhatsApp ou a Meta')
  })

  it('shows a conversation', async () => {
    await expect.element(page.getByRole('log')).toMatchTextContent('Padaria Aurora')
  })
})

describe('Simulator on the landing page', () => {
  it('hydrates without changing the screen', async () => {
    const before = lugarDoSimulador().innerHTML
    const height = document.body.scrollHeight
    const queue = recordEarlyClicks(lugarDoSimulador(), () => undefined)
    hydrateDemoPhone(lugarDoSimulador(), queue.flush)
    await page.getByRole('button', { name: '3: Horário e endereço' }).click()
    await expect.element(page.getByRole('log')).toMatchTextContent('Rua das Acácias')
    await page.getByRole('button', { name: 'Recomeçar a conversa' }).click()
    await expect.poll(() => lugarDoSimulador().innerHTML).toBe(before)
    expect(document.body.scrollHeight).toBe(height)
  })

  it('answers a tap made before hydration exactly once', async () => {
    let calls = 0
    const queue = recordEarlyClicks(lugarDoSimulador(), () => (calls += 1))
    await page.getByRole('button', { name: '1: Ver produtos' }).click()
    expect(calls).toBeGreaterThan(0)
    hydrateDemoPhone(lugarDoSimulador(), queue.flush)
    await expect.element(page.getByRole('log')).toMatchTextContent('Bolo de fubá · R$ 32,00')
    const said = [...document.querySelectorAll('[data-de=cliente]')].map(({ textContent }) => textContent)
    expect(said).toEqual(['oi', '1'])
  })

  it('keeps text typed before hydration', async () => {
    const queue = recordEarlyClicks(lugarDoSimulador(), () => undefined)
    await page.getByRole('textbox').fill('atend')
    hydrateDemoPhone(lugarDoSimulador(), queue.flush)
    await page.getByRole('textbox').click()
    await userEvent.keyboard('{End}ente{Enter}')
    await expect.element(page.getByRole('log')).toMatchTextContent('Transferido para o setor Geral')
  })

  it('runs transfer, products and end in the real engine', async () => {
    hydrateDemoPhone(lugarDoSimulador(), recordEarlyClicks(lugarDoSimulador(), () => undefined).flush)
    await page.getByRole('button', { name: '1: Ver produtos' }).click()
    await expect.element(page.getByRole('log')).toMatchTextContent('Pão francês (1 kg) · R$ 18,90')
    await page.getByRole('button', { name: '0: Voltar ao menu' }).click()
    await page.getByRole('button', { name: '2: Encomendar um bolo' }).click()
    await expect.element(page.getByRole('log')).toMatchTextContent('Transferido para o setor Vendas')
  })

  it('takes an order, from the sentence to its number', async () => {
    hydrateDemoPhone(lugarDoSimulador(), recordEarlyClicks(lugarDoSimulador(), () => undefined).flush)
    await page.getByRole('button', { name: '1: Ver produtos' }).click()
    await expect.element(page.getByRole('log')).toMatchTextContent('peça por escrito')
    const answers = [
      ['quero 2 bolos de fubá', 'Subtotal: R$ 64,00'],
      ['fechar', 'Como prefere receber?'],
      ['retirar', 'Como prefere pagar?'],
      ['cartão', 'Total: R$ 64,00'],
      ['confirmar', 'Pedido nº 1 recebido! Total: R$ 64,00'],
    ] as const
    for (const [said, answer] of answers) {
      await page.getByRole('textbox').fill(said)
      await userEvent.keyboard('{Enter}')
      await expect.element(page.getByRole('log')).toMatchTextContent(answer)
    }
  })
})

describe('Landing page: accessibility', () => {
  it('passes axe in both themes, on a phone and on a desktop', async () => {
    await expectAccessible()
  })

  it.each([320, 360, 768, 1366])('never scrolls sideways at %i pixels', async (width) => {
    await page.viewport(width, 800)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  })
})
