import type { Midia } from '@balcao/contract/entities/mensagem'
import { createRoot, type Root } from 'react-dom/client'
import { useCallback, useState } from 'react'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { MensagemMedia } from '#shared/media/mensagem-media.tsx'
import { RefreshFileContext } from '#shared/media/refresh-file.ts'
import { expectAccessible } from '#test/axe.ts'
import { fakeApi } from '#test/fake-api.ts'
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

describe('a file whose address ended', () => {
  const ENDED = '/api/midias/ended.png?e=1&a=1'

  /** Shows the file under the address that the chat holds. Each read of the chat gives the next of `fresh`. */
  function showFile(midia: Midia, fresh: readonly (string | undefined)[]): { readonly reads: () => number } {
    const answers = [...fresh]
    let reads = 0
    function Chat() {
      const [url, setUrl] = useState(midia.url ?? '')
      const refresh = useCallback((_ended: string): Promise<string | undefined> => {
        reads += 1
        const next = answers.shift()
        if (next !== undefined) setUrl(next)
        return Promise.resolve(next)
      }, [])
      return (
        <RefreshFileContext value={refresh}>
          <MensagemMedia midia={{ ...midia, url }} ours={false} />
        </RefreshFileContext>
      )
    }
    const place = document.createElement('main')
    document.body.append(place)
    root = createRoot(place)
    root.render(<Chat />)
    return { reads: () => reads }
  }

  it('shows a picture under its next address', async () => {
    const fresh = URL.createObjectURL(await makePng('bolo.png', 30, 300))
    const { reads } = showFile({ tipo: 'imagem', url: ENDED }, [fresh])
    await expect.element(page.getByRole('img', { name: 'Imagem recebida' })).toHaveAttribute('src', fresh)
    await expect.poll(reads).toBe(1)
    expect(page.getByRole('link').query()).toBeNull()
  })

  it.each([
    ['is gone', [undefined]],
    ['fails again', ['/api/midias/ended.png?e=2&a=2']],
  ])('becomes a row with its name if the file %s', async (_name, fresh) => {
    const { reads } = showFile({ tipo: 'imagem', url: ENDED, nomeArquivo: 'bolo.png' }, fresh)
    await expect.element(page.getByRole('link', { name: /Imagem recebida: bolo\.png/ })).toBeVisible()
    expect(reads()).toBe(1)
  })

  it('plays a recording on under its next address', async () => {
    const [first, fresh] = [comUrl(makeWav(7), 'audio').url ?? '', comUrl(makeWav(7), 'audio').url ?? '']
    const { reads } = showFile({ tipo: 'audio', url: first, mimeType: 'audio/wav' }, [fresh])
    await expect.element(page.getByText('0:07')).toBeVisible()
    await page.getByRole('button', { name: 'Ouvir' }).click()
    await expect.element(page.getByRole('button', { name: 'Pausar' })).toBeVisible()
    document.querySelector('audio')?.dispatchEvent(new Event('error'))
    await expect.poll(() => document.querySelector('audio')?.src).toBe(fresh)
    await expect.poll(() => document.querySelector('audio')?.paused).toBe(false)
    expect(reads()).toBe(1)
  })

  it('downloads a document from its next address', async () => {
    // Answers 404 to every address.
    onTestFinished(fakeApi().restore)
    const saved: string[] = []
    HTMLAnchorElement.prototype.click = function save() {
      saved.push(`${this.getAttribute('href')} ${this.download}`)
    }
    onTestFinished(() => void Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click'))
    const [fresh, later] = ['/api/midias/ended.pdf?e=2&a=2', '/api/midias/ended.pdf?e=3&a=3']
    showFile({ ...PDF, url: ENDED, nomeArquivo: 'nota.pdf' }, [fresh, later])
    await page.getByRole('link', { name: /Documento recebido/ }).click()
    await expect.poll(() => saved).toEqual([`${fresh} nota.pdf`])
    await page.getByRole('link', { name: /Documento recebido/ }).click()
    await expect.poll(() => saved).toEqual([`${fresh} nota.pdf`, `${later} nota.pdf`])
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
