import type { Midia } from '@balcao/contract/entities/mensagem'
import { createRoot, type Root } from 'react-dom/client'
import { useCallback, useState } from 'react'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Toasts } from '#shared/ui/toasts.tsx'
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

describe('a file whose address expired', () => {
  const EXPIRED = '/api/midias/expired.png?e=1&a=1'

  /** Shows the file under the address that the chat holds. Each read of the chat gives the next of `fresh`. */
  function showFile(midia: Midia, fresh: readonly (string | undefined)[]): { readonly reads: () => number } {
    const answers = [...fresh]
    let reads = 0
    function Chat() {
      const [url, setUrl] = useState(midia.url ?? '')
      const refresh = useCallback((_expired: string): Promise<string | undefined> => {
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
    const { reads } = showFile({ tipo: 'imagem', url: EXPIRED }, [fresh])
    await expect.element(page.getByRole('img', { name: 'Imagem recebida' })).toHaveAttribute('src', fresh)
    await expect.poll(reads).toBe(1)
    expect(page.getByRole('link').query()).toBeNull()
  })

  it.each([
    ['is gone', [undefined]],
    ['fails again', ['/api/midias/expired.png?e=9999999999&a=2']],
  ])('becomes a row with its name if the file %s', async (_name, fresh) => {
    const { reads } = showFile({ tipo: 'imagem', url: EXPIRED, nomeArquivo: 'bolo.png' }, fresh)
    await expect.element(page.getByRole('link', { name: /Imagem recebida: bolo\.png/ })).toBeVisible()
    expect(reads()).toBe(1)
  })

  it('refreshes an address that expired after an earlier refresh', async () => {
    const url = URL.createObjectURL(await makePng('bolo.png', 30, 300))
    const [second, third] = [`${url}#?e=1`, `${url}#?e=9999999999`]
    const { reads } = showFile({ tipo: 'imagem', url: EXPIRED }, [second, third])
    const picture = page.getByRole('img', { name: 'Imagem recebida' })
    await expect.element(picture).toHaveAttribute('src', second)
    picture.element().dispatchEvent(new Event('error'))
    await expect.element(picture).toHaveAttribute('src', third)
    expect(reads()).toBe(2)
  })
})

describe('a recording that gets another address', () => {
  const recording = (seconds = 7): string => comUrl(makeWav(seconds), 'audio').url ?? ''

  /** Shows the recording. The returned function gives it another address; so does a failure. */
  function showRecording(first: string, next: string): () => void {
    let setAddress = (_url: string): void => undefined
    function Chat() {
      const [url, setUrl] = useState(first)
      setAddress = setUrl
      const refresh = useCallback((): Promise<string> => {
        setUrl(next)
        return Promise.resolve(next)
      }, [])
      return (
        <RefreshFileContext value={refresh}>
          <MensagemMedia midia={{ tipo: 'audio', url, mimeType: 'audio/wav' }} ours={false} />
        </RefreshFileContext>
      )
    }
    const place = document.createElement('main')
    document.body.append(place)
    const chat = createRoot(place)
    onTestFinished(() => chat.unmount())
    chat.render(<Chat />)
    return () => setAddress(next)
  }

  const audio = (): HTMLAudioElement | null => document.querySelector('audio')
  const button = (name: string) => page.getByRole('button', { name })
  const fail = (): void => void audio()?.dispatchEvent(new Event('error'))

  it.each(['a refetch', 'a failure'])('plays on at the same position and speed after %s', async (cause) => {
    const next = recording()
    const refetch = showRecording(recording(), next)
    await expect.element(page.getByText('0:07')).toBeVisible()
    await button('Velocidade 1×').click()
    await page.getByRole('slider', { name: 'Posição' }).fill('3')
    await button('Ouvir').click()
    await expect.element(button('Pausar')).toBeVisible()
    if (cause === 'a refetch') refetch()
    else fail()
    await expect.poll(() => audio()?.src).toBe(next)
    await expect.poll(() => audio()?.paused).toBe(false)
    await expect.element(button('Pausar')).toBeVisible()
    expect(audio()?.currentTime).toBeGreaterThanOrEqual(3)
    expect(audio()?.playbackRate).toBe(1.5)
  })

  it.each(['its end', 'another recording'])('stays silent after %s stopped it', async (cause) => {
    const next = recording()
    mostrar(comUrl(makeWav(3), 'audio'))
    const other = page.getByRole('group').getByRole('button', { name: 'Ouvir' })
    await expect.element(other).toBeVisible()
    const otherButton = other.element()
    showRecording(recording(1), next)
    await expect.element(page.getByText('0:01')).toBeVisible()
    const player = page.getByRole('group').nth(1)
    await player.getByRole('button', { name: 'Ouvir' }).click()
    await expect.element(player.getByRole('button', { name: 'Pausar' })).toBeVisible()
    if (cause === 'another recording') await userEvent.click(otherButton)
    await expect.element(player.getByRole('button', { name: 'Ouvir' })).toBeVisible()
    const [, recordingElement] = document.querySelectorAll('audio')
    recordingElement?.dispatchEvent(new Event('error'))
    await expect.poll(() => recordingElement?.src).toBe(next)
    await expect.poll(() => recordingElement?.readyState).toBe(HTMLMediaElement.HAVE_ENOUGH_DATA)
    expect(recordingElement?.paused).toBe(true)
  })
})

describe('Download of a file', () => {
  const EXPIRED = '/api/midias/nota.pdf?e=1&a=1'
  const FRESH = '/api/midias/nota.pdf?e=2&a=2'

  /** Shows a document with an expired address. The server answers `status` to the fresh one. */
  function showDocument(status: number): readonly string[] {
    const api = fakeApi({
      'HEAD /midias/nota.pdf': ({ url }) => ({ status: url.searchParams.get('e') === '2' ? status : 404 }),
    })
    onTestFinished(api.restore)
    const saved: string[] = []
    HTMLAnchorElement.prototype.click = function save() {
      saved.push(`${this.getAttribute('href')} ${this.download}`)
    }
    onTestFinished(() => void Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click'))
    const place = document.createElement('main')
    document.body.append(place)
    const chat = createRoot(place)
    onTestFinished(() => chat.unmount())
    chat.render(
      <RefreshFileContext value={() => Promise.resolve(FRESH)}>
        <MensagemMedia midia={{ ...PDF, url: EXPIRED, nomeArquivo: 'nota.pdf' }} ours={false} />
        <Toasts />
      </RefreshFileContext>,
    )
    return saved
  }
  const download = () => page.getByRole('link', { name: /Documento recebido/ }).click()

  it('saves it from its next address', async () => {
    const saved = showDocument(200)
    await download()
    await expect.poll(() => saved).toEqual([`${FRESH} nota.pdf`])
  })

  it.each([
    [404, 'Este arquivo não existe mais.'],
    [503, 'Não foi possível baixar o arquivo. Tente de novo.'],
  ])('saves nothing and explains a %i', async (status, sentence) => {
    const saved = showDocument(status)
    await download()
    await expect.element(page.getByText(sentence)).toBeVisible()
    expect(saved).toEqual([])
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
