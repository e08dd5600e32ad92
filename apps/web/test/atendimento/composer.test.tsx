import { fakeSocket } from '../dashboard/fake-socket.ts'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, makeSentMensagem, minutesAgo, makeMensagem } from './sample-conversas.ts'
import {
  aviso,
  button,
  chat,
  emitCustomerMensagem,
  composer,
  waitForSocket,
  conversaRow,
  openName,
  setupAtendimento,
} from './tab.ts'

const open = setupAtendimento(() => void Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia'))

function fakeMicrophone(getUserMedia: () => Promise<MediaStream>): void {
  Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: getUserMedia, configurable: true })
}

const C2 = '/dashboard?aba=atendimento&c=c2'
const MIDIA = 'POST /atendimento/conversas/c2/midia'
const RESPOSTAS = [
  { atalho: 'ola', texto: 'Olá! Como posso ajudar?' },
  { atalho: 'pix', texto: 'Nossa chave PIX é o telefone.' },
  { atalho: 'horario', texto: 'Abrimos às 8h, de segunda a sábado.' },
]
const ONE_PIXEL_PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (letter) => letter.charCodeAt(0),
)
const picture = (nome = 'bolo.png'): File => new File([ONE_PIXEL_PNG], nome, { type: 'image/png' })

function transferOf(...arquivos: File[]): DataTransfer {
  const data = new DataTransfer()
  for (const arquivo of arquivos) data.items.add(arquivo)
  return data
}

async function pasteFiles(...arquivos: File[]): Promise<void> {
  await expect.element(composer).toBeVisible()
  const clipboardData = transferOf(...arquivos)
  composer.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

function formFields(corpo: unknown): Record<string, unknown> {
  return corpo instanceof FormData ? Object.fromEntries(corpo) : {}
}

describe('Composer: quick replies', () => {
  it('opens quick replies with a slash, searches name and text, inserts by keyboard', async () => {
    const { api } = open({}, C2)
    api.on('GET /atendimento/respostas-rapidas', () => ok({ respostas: RESPOSTAS }))
    await composer.fill('/')
    const lista = page.getByRole('listbox', { name: 'Respostas rápidas' })
    await expect.poll(() => lista.getByRole('option').elements().length).toBe(3)
    await composer.fill('/segunda')
    await expect.poll(() => lista.getByRole('option').elements().length).toBe(1)
    await composer.fill('/')
    await userEvent.keyboard('{ArrowDown}')
    await expect
      .element(lista.getByRole('option', { selected: true }))
      .toHaveTextContent('/pixNossa chave PIX é o telefone.')
    await userEvent.keyboard('{Enter}')
    await expect.element(composer).toHaveValue('Nossa chave PIX é o telefone.')
    await composer.fill('/nada')
    await expect.element(page.getByText(/Nenhuma resposta rápida com este nome/)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(composer).toHaveValue('')
  })

  it('fills name, protocolo, person and empresa of the inserted reply', async () => {
    const { api } = open({}, C2)
    const texto = 'Oi, {nome}! Aqui é {operador}, da {empresa}. Protocolo {protocolo}. {outra}'
    api.on('GET /atendimento/respostas-rapidas', () => ok({ respostas: [{ atalho: 'oi', texto }] }))
    await composer.fill('/oi')
    await page.getByRole('option', { name: /^\/oi/ }).click()
    await expect
      .element(composer)
      .toHaveValue('Oi, João Pedro Alves! Aqui é Ana Ribeiro, da Padaria Aurora. Protocolo 20261121-0001. {outra}')
  })

  it('distinguishes quick replies that failed to load from an empty list', async () => {
    const { api } = open({}, C2)
    api.on('GET /atendimento/respostas-rapidas', () => refusal(500, 'interno', 'Erro interno do servidor.'))
    await composer.fill('/')
    await expect.element(page.getByText(/As respostas rápidas não chegaram/)).toBeVisible()
    await composer.clear()
    api.on('GET /atendimento/respostas-rapidas', () => ok({ respostas: [] }))
    await composer.fill('/')
    await expect.element(page.getByText(/Nenhuma resposta rápida ainda/)).toBeVisible()
  })
})

describe('Composer: typing', () => {
  it('sends one typing signal and shows the customer typing until the message arrives', async () => {
    const { api } = open({}, '/dashboard?aba=atendimento&c=c1')
    const rota = 'POST /atendimento/conversas/c1/digitando'
    await composer.click()
    await userEvent.keyboard('Estou vendo')
    await expect.poll(() => api.calls.filter(({ route }) => route === rota).length).toBe(1)
    await waitForSocket()
    fakeSocket.emit('clienteDigitando', { userId: CONTA_ID, conversaId: 'c1' })
    await expect.element(chat.getByText('Marina Duarte está digitando')).toBeInTheDocument()
    emitCustomerMensagem('c1', { texto: 'Obrigado' })
    await expect.element(chat.getByText('Obrigado')).toBeVisible()
    await expect.poll(() => chat.getByText('Marina Duarte está digitando').query()).toBeNull()
  })

  it('keeps the read tick when the answer arrives after the socket event', async () => {
    const { api } = open({}, C2)
    const fresh = makeSentMensagem('Já saiu', { id: 'rapida' })
    api.on('POST /atendimento/conversas/c2/mensagem', async () => {
      const data = { userId: CONTA_ID, conversaId: 'c2', mensagem: { ...fresh, estado: 'lida' }, idTemporario: 'outro' }
      fakeSocket.emit('mensagemConversaHumana', data)
      await expect.element(chat.getByText('Lida', { exact: true })).toBeInTheDocument()
      return ok({ mensagem: fresh, conversaId: 'c2' })
    })
    await waitForSocket()
    await composer.fill('Já saiu')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => chat.getByText('Enviando…').query()).toBeNull()
    await expect.element(chat.getByText('Lida', { exact: true })).toBeInTheDocument()
    await expect.poll(() => chat.getByText('Já saiu').elements()).toHaveLength(1)
  })
})

describe('Composer: files', () => {
  it('previews pasted files, takes the text as caption and shows the progress', async () => {
    const { api } = open({}, C2)
    let reply = (): void => undefined
    const wait = new Promise<void>((resolve) => (reply = resolve))
    api.on(MIDIA, async ({ body }) => {
      await wait
      const { legenda } = formFields(body)
      const midia = { tipo: 'imagem', url: '/icon.svg', nomeArquivo: 'bolo.png', mimeType: 'image/png' } as const
      return ok({ mensagem: makeSentMensagem(String(legenda), { id: 'foto', midia }), conversaId: 'c2' })
    })
    await composer.fill('Este é o de fubá')
    await pasteFiles(picture())
    const dialogo = page.getByRole('dialog', { name: 'Enviar para João Pedro Alves' })
    await expect.element(dialogo.getByRole('img', { name: 'bolo.png' })).toBeVisible()
    await expect.element(dialogo.getByRole('textbox', { name: /Legenda/ })).toHaveValue('Este é o de fubá')
    await expectAccessible()
    await dialogo.getByRole('button', { name: 'Enviar arquivo' }).click()
    await expect.element(chat.getByRole('progressbar', { name: 'Enviando o arquivo' })).toBeInTheDocument()
    await expect.element(composer).toHaveValue('')
    const [request] = api.calls.filter(({ route }) => route === MIDIA)
    expect(formFields(request?.body)).toMatchObject({ legenda: 'Este é o de fubá', idTemporario: expect.any(String) })
    reply()
    await expect.poll(() => chat.getByRole('progressbar').query()).toBeNull()
    await expect.poll(() => chat.getByText('Este é o de fubá').elements()).toHaveLength(1)
  })

  it('sends ten pictures with Enter, caption and button on the screen', async () => {
    const { api } = open({}, C2)
    api.on(MIDIA, ({ body }) => {
      const midia = { tipo: 'imagem', url: '/icon.svg', nomeArquivo: 'bolo.png', mimeType: 'image/png' } as const
      const id = String(formFields(body)['idTemporario'])
      return ok({ mensagem: makeSentMensagem('', { id, midia }), conversaId: 'c2' })
    })
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    await pasteFiles(...Array.from({ length: 10 }, (_, index) => picture(`bolo-${index}.png`)))
    const dialog = page.getByRole('dialog', { name: 'Enviar para João Pedro Alves' })
    const caption = dialog.getByRole('textbox', { name: /Legenda/ })
    await expect.element(caption).toHaveFocus()
    await expectAccessible()
    await page.viewport(1366, 768)
    const { bottom } = dialog.getByRole('button', { name: 'Enviar 10 arquivos' }).element().getBoundingClientRect()
    expect(bottom).toBeLessThanOrEqual(768)
    const tops = dialog
      .getByRole('listitem')
      .elements()
      .map((item) => item.getBoundingClientRect().top)
    expect(new Set(tops).size).toBe(1)
    await page.viewport(1366, 800)
    await dialog.getByRole('button', { name: 'Tirar bolo-0.png' }).click()
    await expect.element(caption).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => api.calls.filter(({ route }) => route === MIDIA)).toHaveLength(9)
    expect(dialog.query()).toBeNull()
  })

  it('sends three pasted photos with two actions', async () => {
    const { api } = open({}, C2)
    api.on(MIDIA, ({ body }) => {
      const id = String(formFields(body)['idTemporario'])
      return ok({ mensagem: makeSentMensagem('', { id }), conversaId: 'c2' })
    })
    await pasteFiles(picture('a.png'), picture('b.png'), picture('c.png'))
    await expect.element(page.getByRole('dialog').getByRole('textbox', { name: /Legenda/ })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => api.calls.filter(({ route }) => route === MIDIA)).toHaveLength(3)
  })

  it('keeps a failed file in the chat to resend with its id or discard', async () => {
    const { api } = open({}, C2)
    api.on(MIDIA, () => refusal(400, 'tipoDeArquivo', 'Este tipo de arquivo não pode ser enviado.'))
    await pasteFiles(picture())
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar arquivo' }).click()
    await expect.element(chat.getByText('Este tipo de arquivo não pode ser enviado.')).toBeVisible()
    await expect.element(aviso(/Erro ao enviar arquivo/)).toBeVisible()
    await chat.getByRole('button', { name: 'Tentar de novo' }).click()
    const idDe = (index: number): unknown =>
      formFields(api.calls.filter(({ route }) => route === MIDIA)[index]?.body)['idTemporario']
    await expect.poll(() => idDe(1)).toBe(idDe(0))
    await chat.getByRole('button', { name: 'Descartar' }).click()
    await expect.poll(() => chat.getByText(/não pode ser enviado/).query()).toBeNull()
  })

  it('previews dropped files and refuses one above 5 MB', async () => {
    open({}, C2)
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    const grande = new File([new Uint8Array(5_242_881)], 'video.pdf', { type: 'application/pdf' })
    await expect.element(chat).toBeVisible()
    const target = chat.element()
    const dataTransfer = transferOf(grande, picture('certa.png'))
    target.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
    await expect.element(page.getByText('Solte para enviar a João Pedro Alves')).toBeVisible()
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    await expect.element(page.getByText('video.pdf passa de 5 MB.')).toBeVisible()
    await page.getByRole('button', { name: 'Tirar certa.png' }).click()
    await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Enviar arquivo' })).toBeDisabled()
  })
})

describe('Composer: recording', () => {
  it('records, plays back and sends an audio', async () => {
    const { api } = open({}, C2)
    fakeMicrophone(async () => new AudioContext().createMediaStreamDestination().stream)
    const midia = { tipo: 'audio', url: '/a.webm' } as const
    api.on(MIDIA, () => ok({ mensagem: makeSentMensagem('', { id: 'voz', midia }), conversaId: 'c2' }))
    await button('Gravar áudio').click()
    await expect.element(page.getByRole('timer', { name: 'Tempo de gravação' })).toBeVisible()
    await expect.element(button('Parar')).toHaveFocus()
    await button('Parar').click()
    await expect.element(page.getByLabelText('Ouvir antes de enviar')).toBeVisible()
    await expectAccessible()
    await button('Enviar áudio').click()
    await expect
      .poll(() => formFields(api.calls.find(({ route }) => route === MIDIA)?.body)['arquivo'])
      .toBeInstanceOf(File)
    await expect.element(composer).toBeVisible()
  })

  it('explains a blocked microphone and returns the focus to the field', async () => {
    open({}, C2)
    fakeMicrophone(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
    await button('Gravar áudio').click()
    await expect.element(page.getByText(/O microfone está bloqueado para este site/)).toBeVisible()
    await button('Entendi').click()
    await expect.element(composer).toHaveFocus()
  })
})

describe('Chat: details of the customer', () => {
  it('shows earlier ratings and conversas and opens an earlier conversa', async () => {
    const old = makeConversa({
      id: 'v1',
      nome: 'João Pedro Alves',
      protocolo: '20260102-0007',
      status: 'finalizada',
      mensagens: [makeMensagem({ texto: 'Da outra vez foi ótimo' })],
    })
    await page.viewport(1600, 900)
    const { api } = open({ finished: [old] }, C2)
    const previous = {
      id: 'v1',
      protocolo: old.protocolo,
      setor: 'vendas',
      status: 'finalizada',
      operador: 'Bruno',
      iniciadoEm: minutesAgo(90_000),
      nota: 5,
    }
    const ficha = { anteriores: [previous], totalAnteriores: 1, avaliacoes: { total: 2, notaMedia: 4.5 } }
    api.on('GET /atendimento/conversas/c2/cliente', () => ok(ficha))
    const details = page.getByRole('complementary', { name: 'Detalhes' })
    await expect.element(details.getByText(/de média em 2/)).toBeVisible()
    await details.getByRole('button', { name: /20260102-0007 · Bruno/ }).click()
    const dialogo = page.getByRole('dialog', { name: 'Conversa 20260102-0007' })
    await expect.element(dialogo.getByText('Da outra vez foi ótimo')).toBeVisible()
    await expect.poll(() => dialogo.getByRole('textbox').query()).toBeNull()
    await page.viewport(1366, 800)
  })

  it('shows the operador online and keeps the draft until sending is allowed', async () => {
    open({ open: [makeConversa({ status: 'em_atendimento', operadorId: 'u2', operador: 'Bruno' })] })
    await conversaRow('Marina').click()
    await expect.element(page.getByText(/Em atendimento com Bruno ·/)).toBeVisible()
    await waitForSocket()
    const entered = { userId: CONTA_ID, operadorId: 'u2', operador: 'Bruno', status: 'online' }
    fakeSocket.emit('operadorStatusChange', entered)
    await expect.element(page.getByText(/Em atendimento com Bruno \(online\)/)).toBeVisible()
    await expect.element(page.getByText(/^Bruno está atendendo\. Para responder/)).toBeVisible()
    await composer.fill('Posso ajudar?')
    await expect.element(button('Enviar')).toBeDisabled()
    await expect.element(button('Anexar arquivo')).toBeDisabled()
    const transferred = { userId: CONTA_ID, conversaId: 'c1', novoSetor: 'vendas' }
    fakeSocket.emit('conversaTransferida', transferred)
    await expect.element(button('Enviar')).toBeEnabled()
    await expect.element(composer).toHaveValue('Posso ajudar?')
  })
})
