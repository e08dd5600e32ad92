import type { Midia } from '@balcao/contract/entities/mensagem'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { MensagemMedia } from '#shared/media/mensagem-media.tsx'
import { expectAccessible } from '#test/axe.ts'
import { makeWav, makePng } from './files.ts'

let root: Root | null = null
afterEach(() => {
  root?.unmount()
  document.body.replaceChildren()
})

function mostrar(...midias: readonly Midia[]): void {
  const place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
  root.render(
    <main>
      <h1>Conversa</h1>
      <ol className="wall grid gap-2 p-3">
        {midias.map((midia, index) => (
          <li key={index} className={`max-w-[85%] ${index % 2 === 0 ? '' : 'justify-self-end'}`}>
            <div className={`rounded-2xl px-3 py-2 ${index % 2 === 0 ? 'bg-surface' : 'bg-bubble'}`}>
              <MensagemMedia
                midia={midia}
                caption={index === 0 ? 'O bolo de ontem' : undefined}
                ours={index % 2 === 1}
              />
            </div>
          </li>
        ))}
      </ol>
    </main>,
  )
}

const comUrl = (arquivo: File, tipo: Midia['tipo']): Midia => ({
  tipo,
  url: URL.createObjectURL(arquivo),
  nomeArquivo: arquivo.name,
  mimeType: arquivo.type,
  tamanhoBytes: arquivo.size,
})
const PDF: Midia = {
  tipo: 'documento',
  url: '/api/midias/abc',
  nomeArquivo: 'orçamento de casamento com nome comprido demais para caber.pdf',
  mimeType: 'application/pdf',
  tamanhoBytes: 1_258_291,
}

describe('Picture of a mensagem', () => {
  it('reserves its box and opens whole with caption, by mouse and keyboard', async () => {
    mostrar(comUrl(await makePng('bolo.png', 30, 300), 'imagem'))
    const image = page.getByRole('img', { name: 'Imagem recebida' })
    await expect.element(image).toBeVisible()
    const { width, height } = image.element().getBoundingClientRect()
    expect(Math.round((width / height) * 3)).toBe(4)
    await page.getByRole('button', { name: 'Ampliar: imagem recebida' }).click()
    const dialogo = page.getByRole('dialog', { name: 'Imagem recebida' })
    await expect.element(dialogo.getByRole('img', { name: 'O bolo de ontem' })).toBeVisible()
    await expect.element(dialogo.getByRole('link', { name: 'Baixar' })).toHaveAttribute('download', 'bolo.png')
    await expectAccessible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => dialogo.query()).toBeNull()
    expect(document.activeElement).toBe(page.getByRole('button', { name: /Ampliar/ }).element())
  })

  it('becomes a row with its name when the file is missing', async () => {
    mostrar(
      { tipo: 'imagem', url: 'data:', nomeArquivo: 'x.png' },
      { tipo: 'imagem', url: 'blob:nada', nomeArquivo: 'foto.png' },
    )
    await expect.element(page.getByText('x.png')).toBeVisible()
    await expect.element(page.getByRole('link', { name: /Imagem enviada: foto\.png/ })).toBeVisible()
    await expect.poll(() => page.getByRole('link', { name: /x\.png/ }).query()).toBeNull()
  })
})

describe('Audio of a mensagem', () => {
  it('shows its duration, plays, pauses and changes speed', async () => {
    mostrar(comUrl(makeWav(7), 'audio'), comUrl(makeWav(3), 'audio'))
    const um = page.getByRole('group', { name: 'Áudio recebido' })
    const other = page.getByRole('group', { name: 'Áudio enviado' })
    await expect.element(um.getByText('0:07')).toBeVisible()
    await um.getByRole('slider', { name: 'Posição' }).fill('2')
    await expect.element(um.getByText('0:02')).toBeVisible()
    await um.getByRole('button', { name: 'Velocidade 1×' }).click()
    await expect.element(um.getByRole('button', { name: 'Velocidade 1,5×' })).toBeVisible()
    await um.getByRole('button', { name: 'Ouvir' }).click()
    await expect.element(um.getByRole('button', { name: 'Pausar' })).toBeVisible()
    await other.getByRole('button', { name: 'Ouvir' }).click()
    await expect.element(other.getByRole('button', { name: 'Pausar' })).toBeVisible()
    await expect.element(um.getByRole('button', { name: 'Ouvir' })).toBeVisible()
  })

  it('finds the duration of a browser recording', async () => {
    const context = new AudioContext()
    const destination = context.createMediaStreamDestination()
    const tom = context.createOscillator()
    tom.connect(destination)
    tom.start()
    const recorder = new MediaRecorder(destination.stream, { mimeType: 'audio/webm' })
    const parts: Blob[] = []
    const ready = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.addEventListener('dataavailable', ({ data }) => {
      parts.push(data)
      if (parts.length > 2 && recorder.state === 'recording') recorder.stop()
    })
    recorder.start(400)
    await ready
    await context.close()
    mostrar(comUrl(new File(parts, 'gravado.webm', { type: 'audio/webm' }), 'audio'))
    await expect.element(page.getByRole('slider', { name: 'Posição' })).toBeEnabled()
    await expect.element(page.getByText(/^0:0[1-9]$/)).toBeVisible()
    await expect.element(page.getByRole('slider', { name: 'Posição' })).toHaveValue('0')
  })

  it('offers an unplayable recording as a download', async () => {
    mostrar(comUrl(new File(['nada disso'], 'voz.ogg', { type: 'audio/ogg' }), 'audio'))
    await expect.element(page.getByRole('link', { name: /Áudio recebido: voz\.ogg/ })).toBeVisible()
  })
})

it('shows documents by name, kind and size, and media without bytes as text', async () => {
  const semBytes = ['figurinha', 'localizacao', 'contato', 'video', 'outro'] as const
  mostrar(PDF, comUrl(makeWav(), 'audio'), comUrl(await makePng(), 'imagem'), ...semBytes.map((tipo) => ({ tipo })))
  const documento = page.getByRole('link', { name: /Documento recebido: orçamento/ })
  await expect.element(documento).toHaveAttribute('href', '/api/midias/abc')
  await expect.element(page.getByText('PDF · 1,2 MB')).toBeVisible()
  for (const word of ['Figurinha', 'Localização', 'Contato', 'Vídeo', 'Arquivo']) {
    await expect.element(page.getByText(word, { exact: true })).toBeVisible()
  }
  await expectAccessible()
})
