import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import type { ServerEventName } from '@balcao/contract/realtime'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { midiaFromFile } from '#shared/media/file-choice.ts'
import { expectAccessible } from '#test/axe.ts'
import {
  CONTA_ID,
  openPanel,
  type PanelTestApp,
  type PanelServer,
  makeConfig,
  makeBotStatus,
} from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { makeWav, makePng } from '#test/midia/files.ts'

const CONECTADO = makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true })
const COM_CODIGO = makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: 'q', qr: 'q' })
const MARINA = '11912345678'

const SAIDA = {
  ...{ id: 'b1', direcao: 'saida', origem: 'bot', timestamp: '2026-03-10T12:00:00.000Z' },
  ...{ conteudo: 'x', contato: 'Marina', telefone: MARINA },
}

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

interface Chegada {
  readonly id: string
  readonly texto: string
}

/** The page over a server that stores its requests. Each test puts the bot's answers in `conversas`. */
function abrir(inicial: Partial<PanelServer> = {}) {
  painel = openPanel('/simulador', { bot: CONECTADO, ...inicial })
  const { api } = painel
  const conversas = new Map<string, MensagemSimulada[]>()
  const dizer = (
    telefone: string,
    de: 'cliente' | 'bot',
    texto: string,
    { id = crypto.randomUUID(), midia }: { id?: string; midia?: Midia | undefined } = {},
  ): void => {
    const conversa = conversas.get(telefone) ?? []
    conversa.push({ id, de, texto, timestamp: new Date().toISOString(), ...(midia === undefined ? {} : { midia }) })
    conversas.set(telefone, conversa)
  }
  const digits = (telefone: unknown): string => String(telefone).replace(/\D/g, '')
  api.on('GET /simulador/mensagens', ({ url }) =>
    ok({ mensagens: conversas.get(digits(url.searchParams.get('telefone'))) ?? [] }),
  )
  api.on('POST /simulador/mensagens', ({ body }) => {
    const { id, texto } = ler(body)
    dizer(digits(campoDe(body, 'telefone')), 'cliente', texto, { id, midia: midiaDe(body) })
    return { status: 202, body: { id } }
  })
  const enviadas = (): Chegada[] =>
    api.calls.filter(({ route }) => route === 'POST /simulador/mensagens').map(({ body }) => ler(body))
  return { ...painel, conversas, dizer, enviadas }
}

function campoDe(body: unknown, nome: string): string {
  return String(body instanceof FormData ? body.get(nome) : Reflect.get(Object(body), nome))
}

function midiaDe(body: unknown): Midia | undefined {
  const arquivo = body instanceof FormData ? body.get('arquivo') : null
  return arquivo instanceof File ? midiaFromFile(arquivo) : undefined
}

function ler(body: unknown): Chegada {
  return { id: campoDe(body, 'id'), texto: campoDe(body, 'texto') }
}

/** Emits the event until the page, whose socket may still be connecting, has received it. */
async function dizerPeloSocket(event: ServerEventName, data: object, ouviu: () => boolean): Promise<void> {
  await expect
    .poll(() => {
      fakeSocket.emit(event, { userId: CONTA_ID, ...data })
      return ouviu()
    })
    .toBe(true)
}
const aparece = (text: string) => (): boolean => page.getByText(text, { exact: true }).query() !== null

const field = page.getByLabelText('Mensagem', { exact: true })
const log = page.getByRole('log')
const write = async (text: string): Promise<void> => {
  await field.fill(text)
  await userEvent.keyboard('{Enter}')
}

describe('Simulator: business phone', () => {
  it('scans the QR code of the panel', async () => {
    const { api, server } = abrir({ bot: COM_CODIGO })
    api.on('POST /simulador/escanear', () => {
      server.bot = CONECTADO
      return ok({ sucesso: true })
    })
    await page.getByRole('button', { name: 'Escanear QR Code' }).click()
    await expect.element(page.getByText('Conectado', { exact: true })).toBeVisible()
    await expect.poll(() => page.getByRole('button', { name: 'Escanear QR Code' }).query()).toBeNull()
  })

  it('explains where to start while there is no QR code', async () => {
    abrir({ bot: makeBotStatus() })
    await expect.element(page.getByRole('button', { name: 'Escanear QR Code' })).toBeDisabled()
    await expect
      .element(page.getByRole('link', { name: 'Iniciar o bot na aba Geral' }))
      .toHaveAttribute('href', '/dashboard?aba=geral')
    const escanear = page.getByRole('button', { name: 'Escanear QR Code' })
    await dizerPeloSocket('botQrCode', { qrCode: 'codigo' }, () => escanear.query()?.matches(':enabled') === true)
  })

  it('disconnects only after asking', async () => {
    const { api, server } = abrir()
    api.on('POST /simulador/desconectar', () => {
      server.bot = makeBotStatus({ motivo: 'desconectadoNoCelular' })
      return ok({ sucesso: true })
    })
    await page.getByRole('button', { name: 'Desconectar celular' }).click()
    const pergunta = page.getByRole('alertdialog', { name: 'Desconectar o celular?' })
    await pergunta.getByRole('button', { name: 'Voltar' }).click()
    expect(api.calls.some(({ route }) => route === 'POST /simulador/desconectar')).toBe(false)
    await page.getByRole('button', { name: 'Desconectar celular' }).click()
    await pergunta.getByRole('button', { name: 'Desconectar' }).click()
    await expect.element(page.getByText('Parado', { exact: true })).toBeVisible()
    await expect.element(page.getByText(/O bot não está conectado/)).toBeVisible()
  })

  it('makes the next sends fail, at least zero', async () => {
    const { api } = abrir()
    api.on('POST /simulador/falhas', ({ body }) => ok(body))
    await page.getByLabelText('Falhas de envio').fill('2')
    await page.getByRole('button', { name: 'Programar' }).click()
    await expect.element(page.getByText('Os próximos 2 envios vão falhar, para você ver o reenvio.')).toBeVisible()
    await page.getByLabelText('Falhas de envio').fill('-3')
    await page.getByRole('button', { name: 'Programar' }).click()
    await expect.element(page.getByText('Nenhum envio vai falhar.')).toBeVisible()
    // The panel asks for other things meanwhile.
    expect(api.calls.findLast(({ route }) => route === 'POST /simulador/falhas')?.body).toEqual({ envios: 0 })
  })
})

describe('Simulator: chat', () => {
  it('explains how to start while it is empty', async () => {
    abrir()
    await expect.element(page.getByText(/Ninguém escreveu ainda/)).toBeVisible()
  })

  it('sends with Enter, breaks lines with Shift+Enter and shows answers live', async () => {
    const { dizer, enviadas } = abrir()
    await field.fill('oi')
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}tudo bem?')
    expect(enviadas()).toEqual([])
    await userEvent.keyboard('{Enter}')
    await expect.element(log.getByText(/tudo bem/)).toBeVisible()
    await expect.element(field).toHaveValue('')
    expect(enviadas().map(({ texto }) => texto)).toEqual(['oi\ntudo bem?'])
    dizer(MARINA, 'bot', '*1* - Falar com a IA')
    await dizerPeloSocket('botMensagem', SAIDA, () => log.getByText(/- Falar com a IA/).query() !== null)
    expect(document.querySelector('[role=log] strong')?.textContent).toBe('1')
  })

  it('cuts a text above 4,096 characters and shows the rest on demand', async () => {
    const screen = abrir()
    screen.dizer(MARINA, 'bot', ' *a'.repeat(21_000))
    await page.getByRole('button', { name: 'Mostrar tudo' }).click()
    await expect.element(page.getByRole('button', { name: 'Mostrar menos' })).toHaveAttribute('aria-expanded', 'true')
    expect(document.querySelectorAll('strong')).toHaveLength(0)
  })

  it('polls while an answer is due and the socket sends nothing', async () => {
    const { dizer } = abrir()
    await write('oi')
    await expect.element(log.getByText('oi', { exact: true })).toBeVisible()
    dizer(MARINA, 'bot', 'Cheguei sem aviso')
    await expect.element(log.getByText('Cheguei sem aviso')).toBeVisible()
  })

  it('keeps the typed order on a slow network', async () => {
    const { api, enviadas, dizer } = abrir()
    let release = (): void => undefined
    const stuck = new Promise<void>((resolve) => (release = resolve))
    api.on('POST /simulador/mensagens', async ({ body }) => {
      const { id, texto } = ler(body)
      if (texto === 'um') await stuck
      dizer(MARINA, 'cliente', texto, { id })
      return { status: 202, body: { id } }
    })
    await write('um')
    await write('dois')
    await expect.element(log.getByText('dois')).toBeVisible()
    expect(enviadas().map(({ texto }) => texto)).toEqual(['um'])
    release()
    await expect.poll(() => enviadas().map(({ texto }) => texto)).toEqual(['um', 'dois'])
  })

  it('shows why a message failed, links to the fix and retries with its id', async () => {
    const { api, enviadas, dizer } = abrir()
    api.on('POST /simulador/mensagens', () => refusal(409, 'botDesconectado', 'O bot não está conectado.'))
    await write('oi')
    const failure = log.getByRole('alert')
    await expect.element(failure.getByText('O bot não está conectado.')).toBeVisible()
    await expect
      .element(failure.getByRole('link', { name: 'Abrir a aba Geral' }))
      .toHaveAttribute('href', '/dashboard?aba=geral')
    api.on('POST /simulador/mensagens', ({ body }) => {
      const { id, texto } = ler(body)
      dizer(MARINA, 'cliente', texto, { id })
      return { status: 202, body: { id } }
    })
    await failure.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.poll(() => log.getByRole('alert').query()).toBeNull()
    const ids = enviadas().map(({ id }) => id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    await expect.poll(() => document.querySelectorAll('[role=log] time').length).toBe(1)
    expect(document.querySelectorAll('[role=log] li time, [role=log] li button')).toHaveLength(1)
  })

  it('sends one typing signal for many keys', async () => {
    const { api } = abrir()
    api.on('POST /simulador/digitando', () => ok({ sucesso: true }))
    const avisos = () => api.calls.filter(({ route }) => route === 'POST /simulador/digitando')
    await page.getByLabelText('Telefone do cliente').fill('11900001111')
    await field.click()
    await userEvent.keyboard('bom dia')
    await expect.poll(() => avisos().length).toBe(1)
    expect(campoDe(avisos()[0]?.body, 'telefone')).toContain('11900001111')
  })

  it('answers the menu with one tap', async () => {
    const { enviadas } = abrir()
    await page.getByRole('button', { name: /^2, / }).click()
    await expect.poll(() => enviadas().map(({ texto }) => texto)).toEqual(['2'])
  })

  it('sends texts typed on the business phone and in a group', async () => {
    const { api } = abrir()
    await page.getByText('Mais opções').click()
    await page.getByRole('switch', { name: /Digitada no celular da empresa/ }).click()
    await page.getByRole('switch', { name: /Em um grupo/ }).click()
    await write('já respondo')
    const last = () => api.calls.findLast(({ route }) => route === 'POST /simulador/mensagens')?.body
    await expect.poll(last).toMatchObject({ texto: 'já respondo', deMim: true, grupo: true })
    await expect.element(page.getByText('O grupo recebeu. O bot não responde em grupos.')).toBeVisible()
  })

  it('sends picture, audio and document and shows them like the phone', async () => {
    const { api } = abrir()
    const last = () => api.calls.findLast(({ route }) => route === 'POST /simulador/mensagens')?.body
    const campoDoArquivo = page.getByLabelText('Arquivo', { exact: true })
    for (const errado of [
      new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' }),
      new File(['x'], 'festa.mp4', { type: 'video/mp4' }),
    ]) {
      await userEvent.upload(campoDoArquivo, errado)
      await expect.element(page.getByText(/Este tipo de arquivo não é aceito/).first()).toBeVisible()
      await expect.poll(() => page.getByRole('button', { name: 'Tirar o arquivo' }).query()).toBeNull()
    }
    await userEvent.upload(campoDoArquivo, new File([new Uint8Array(5_242_881)], 'grande.png', { type: 'image/png' }))
    await expect.element(page.getByText('Arquivo deve ter no máximo 5MB')).toBeVisible()

    await userEvent.upload(campoDoArquivo, await makePng('bolo.png'))
    await expect.element(page.getByText('bolo.png')).toBeVisible()
    await page.getByRole('button', { name: 'Tirar o arquivo' }).click()
    await expect.poll(() => page.getByText('bolo.png').query()).toBeNull()
    await userEvent.upload(campoDoArquivo, await makePng('bolo.png'))
    await field.fill('Fazem deste?')
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await expect.element(log.getByRole('img', { name: 'Imagem enviada' })).toBeVisible()
    const form = last()
    expect(form instanceof FormData ? form.get('arquivo') : null).toMatchObject({ name: 'bolo.png', type: 'image/png' })
    expect(form instanceof FormData ? form.get('texto') : null).toBe('Fazem deste?')

    await userEvent.upload(campoDoArquivo, makeWav(3))
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await expect.element(log.getByRole('group', { name: 'Áudio enviado' }).getByText('0:03')).toBeVisible()
    await userEvent.upload(campoDoArquivo, new File(['%PDF-1.7'], 'pedido.pdf', { type: 'application/pdf' }))
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await expect.element(log.getByRole('link', { name: /Documento enviado: pedido\.pdf/ })).toBeVisible()
  })

  it('keeps the address of a picture until it fails', async () => {
    const { conversas, dizer } = abrir()
    const file = URL.createObjectURL(await makePng())
    const address = (signature: string) => `${file}#?e=9999999999&a=${signature}`
    const sign = (signature: string): void =>
      void conversas.set(MARINA, [
        ...(conversas.get(MARINA) ?? []).filter(({ id }) => id !== 'foto'),
        {
          id: 'foto',
          de: 'bot',
          texto: '',
          timestamp: new Date(0).toISOString(),
          midia: { tipo: 'imagem', url: address(signature) },
        },
      ])
    sign('1')
    const picture = log.getByRole('img', { name: 'Imagem recebida' })
    await dizerPeloSocket('botMensagem', SAIDA, () => picture.query() !== null)
    await expect.element(picture).toHaveAttribute('src', address('1'))
    sign('2')
    dizer(MARINA, 'bot', 'Vitrine de hoje')
    await dizerPeloSocket('botMensagem', SAIDA, aparece('Vitrine de hoje'))
    await expect.element(picture).toHaveAttribute('src', address('1'))
    picture.element().dispatchEvent(new Event('error'))
    await expect.element(picture).toHaveAttribute('src', address('2'))
  })

  it('keeps a refused file with the server’s sentence and resends it', async () => {
    const { api, dizer } = abrir()
    api.on('POST /simulador/mensagens', () => refusal(413, 'arquivoGrande', 'Arquivo deve ter no máximo 5MB'))
    await userEvent.upload(page.getByLabelText('Arquivo', { exact: true }), await makePng())
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await expect.element(log.getByRole('alert').getByText('Arquivo deve ter no máximo 5MB')).toBeVisible()
    await expect.element(log.getByRole('img', { name: 'Imagem enviada' })).toBeVisible()
    api.on('POST /simulador/mensagens', ({ body }) => {
      const { id, texto } = ler(body)
      dizer(MARINA, 'cliente', texto, { id, midia: midiaDe(body) })
      return { status: 202, body: { id } }
    })
    await log.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.poll(() => log.getByRole('alert').query()).toBeNull()
    await expect.element(log.getByRole('img', { name: 'Imagem enviada' })).toBeVisible()
  })

  it('shows the etapa of the bot for this customer', async () => {
    abrir()
    await expect.element(page.getByText('bot · responde na hora')).toBeVisible()
    // The same person, with the country code and without the ninth digit.
    const contato = { id: 'k1', telefone: '551112345678', nome: 'Marina', etapa: 'humano' }
    await dizerPeloSocket('botConversaAtiva', contato, aparece('com uma pessoa · o bot espera'))
  })

  it('reports a chat that failed to load and reads it again', async () => {
    const { api, dizer } = abrir()
    api.on('GET /simulador/mensagens', () => refusal(500, 'interno', 'Erro interno do servidor. Tente novamente.'))
    await expect.element(log.getByRole('alert').getByText('Erro interno do servidor. Tente novamente.')).toBeVisible()
    dizer(MARINA, 'bot', 'voltei')
    api.on('GET /simulador/mensagens', () =>
      ok({ mensagens: [{ id: 'm', de: 'bot', texto: 'voltei', timestamp: new Date().toISOString() }] }),
    )
    await log.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(log.getByText('voltei')).toBeVisible()
  })
})

describe('Simulator: customer', () => {
  it('starts as Marina, invents another person and keeps the chats apart', async () => {
    const { api } = abrir()
    await expect.element(page.getByLabelText('Nome do cliente')).toHaveValue('Marina Duarte')
    await expect.element(page.getByLabelText('Telefone do cliente')).toHaveValue('(11) 91234-5678')
    await write('sou a Marina')
    await expect.element(log.getByText('sou a Marina')).toBeVisible()

    await page.getByRole('button', { name: 'Novo cliente' }).click()
    await expect.element(page.getByLabelText('Nome do cliente')).toHaveValue('João Pedro')
    await expect.element(page.getByText(/Ninguém escreveu ainda/)).toBeVisible()
    api.on('POST /simulador/mensagens', () => new Promise(() => undefined))
    await write('sou o João')
    await expect.element(log.getByText('sou o João')).toBeVisible()

    await page.getByRole('button', { name: 'Marina Duarte' }).click()
    await expect.element(log.getByText('sou a Marina')).toBeVisible()
    await expect.poll(() => log.getByText('sou o João').query()).toBeNull()
  })

  it('keeps the customer in this browser tab', async () => {
    sessionStorage.setItem(
      'simulador:clientes',
      JSON.stringify([{ nome: 'Rui', telefone: '(31) 98888-7777' }, { nome: 'Lia', telefone: '(41) 97777-6666' }, 7]),
    )
    abrir()
    await expect.element(page.getByLabelText('Nome do cliente')).toHaveValue('Rui')
    await page.getByRole('button', { name: 'Lia' }).click()
    await expect.element(page.getByLabelText('Telefone do cliente')).toHaveValue('(41) 97777-6666')
    await expect.element(page.getByRole('button', { name: 'Lia' })).toHaveAttribute('aria-pressed', 'true')
  })

  it('requires a phone number with area code', async () => {
    const { enviadas } = abrir()
    await page.getByLabelText('Telefone do cliente').fill('1234')
    await expect.element(page.getByText('Informe um telefone com DDD')).toBeVisible()
    await write('oi')
    await expect.element(page.getByRole('button', { name: 'Enviar', exact: true })).toBeDisabled()
    expect(enviadas()).toEqual([])
  })
})

describe('Simulator: obstacles', () => {
  it('explains itself when the account uses another connector', async () => {
    const config = makeConfig()
    abrir({ config: { ...config, whatsapp: { ...config.whatsapp, conector: 'whatsapp' } } })
    await expect.element(page.getByText('Sua conta usa outro conector')).toBeVisible()
  })

  it('shows that maintenance stops all answers', async () => {
    abrir({ bot: { ...CONECTADO, motivo: 'manutencao' } })
    await expect.element(page.getByText(/O bot está em manutenção/)).toBeVisible()
  })

  it('requires the permission to configure', async () => {
    abrir({ usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, configuracaoGeral: false } }) })
    await expect.element(page.getByText('Acesso Restrito')).toBeVisible()
    await expect.element(page.getByText('Você não tem permissão para acessar este componente.')).toBeVisible()
    await expect.poll(() => field.query()).toBeNull()
  })

  it('redirects visitors to the login', async () => {
    abrir()
    painel?.unmount()
    localStorage.clear()
    painel = openPanel('/simulador')
    localStorage.clear()
    await expect.poll(() => location.pathname).toBe('/login')
  })
})

describe('Simulator: accessibility', () => {
  it('passes axe in both themes and widths, connected and not', async () => {
    const { dizer, server } = abrir()
    dizer(MARINA, 'cliente', 'oi')
    dizer(MARINA, 'bot', 'Olá! *Escolha* uma opção')
    await expect.element(log.getByText('oi', { exact: true })).toBeVisible()
    await page.getByText('Mais opções').click()
    await expectAccessible()
    const arquivos: readonly File[] = [
      makeWav(),
      new File(['a;b'], 'preços.csv', { type: 'text/csv' }),
      await makePng(),
    ]
    for (const de of ['cliente', 'bot'] as const) {
      for (const um of arquivos) dizer(MARINA, de, '', { midia: midiaFromFile(um) })
    }
    dizer(MARINA, 'bot', 'Vitrine de hoje', { midia: midiaFromFile(await makePng('vitrine.png')) })
    await dizerPeloSocket('botMensagem', SAIDA, aparece('Vitrine de hoje'))
    await expect.poll(() => log.getByRole('slider').all().length).toBe(2)
    await expectAccessible()
    server.bot = makeBotStatus()
    await dizerPeloSocket('botStatusChange', { status: 'PARADO' }, aparece('Parado'))
    await expectAccessible()
  })

  it('keeps field, buttons and last messages on a small phone’s screen', async () => {
    await page.viewport(360, 740)
    const { dizer } = abrir()
    for (let vez = 0; vez < 30; vez += 1) dizer(MARINA, 'bot', `resposta ${vez}`)
    await expect.element(log.getByText('resposta 29')).toBeInViewport()
    await expect.element(field).toBeInViewport({ ratio: 1 })
    await expect.element(page.getByRole('button', { name: 'Enviar', exact: true })).toBeInViewport({ ratio: 1 })
    await page.viewport(1366, 800)
  })
})
