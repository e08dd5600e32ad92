import { Contact, Download, Film, ImageIcon, MapPin, Mic, Paperclip, Pause, Play, Sticker } from 'lucide-react'
import { type MouseEvent, type ReactNode, use, useState } from 'react'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { Dialog } from '#shared/ui/dialog.tsx'
import { notify } from '#shared/avisos.ts'
import { mediaBoxClass } from './media-box.ts'
import { type RefreshFile, RefreshFileContext, useFile } from './refresh-file.ts'
import { formatPlaybackTime, mediaDescription, mediaName, typeAndSize } from './media-texts.ts'
import { useAudio } from './use-audio.ts'

function save(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** False for a deleted file or an expired address. Throws for any other refusal. */
async function works(url: string): Promise<boolean> {
  const { ok, status } = await fetch(url, { method: 'HEAD' })
  if (!ok && status !== 404) throw new Error(`file refused: ${status}`)
  return ok
}

/** Returns an address that works, undefined if the file is gone: its message may keep the old address. */
async function workingAddress(url: string, refresh: RefreshFile): Promise<string | undefined> {
  if (await works(url)) return url
  const next = await refresh(url)
  return next !== undefined && (await works(next)) ? next : undefined
}

interface DownloadLinkProps {
  readonly midia: Midia
  readonly url: string
  readonly className: string
  readonly children: ReactNode
}

/** Downloads a file. An expired address is replaced first, because the error would be saved as the file. */
export function DownloadLink({ midia, url, className, children }: DownloadLinkProps) {
  const refresh = use(RefreshFileContext)
  const name = midia.nomeArquivo ?? ''
  const download = async (refreshFile: RefreshFile): Promise<void> => {
    try {
      const current = await workingAddress(url, refreshFile)
      if (current === undefined) notify.erro('Este arquivo não existe mais.')
      else save(current, name)
    } catch {
      notify.erro('Não foi possível baixar o arquivo. Tente de novo.')
    }
  }
  const onClick = (event: MouseEvent): void => {
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (refresh === null || !plain || !url.startsWith('/')) return
    event.preventDefault()
    void download(refresh)
  }
  return (
    <a href={url} download={name} className={className} onClick={onClick}>
      {children}
    </a>
  )
}

interface MediaPictureProps {
  readonly midia: Midia
  readonly url: string
  readonly caption?: string | undefined
  readonly ours: boolean
  readonly onBroken: () => void
}

function MediaPicture({ midia, url, caption = '', ours, onBroken }: MediaPictureProps) {
  const [aberta, setAberta] = useState(false)
  const name = mediaDescription(midia, ours)
  const figurinha = midia.tipo === 'figurinha'
  return (
    <div className={`relative overflow-clip rounded-lg ${figurinha ? '' : 'bg-sunken'} ${mediaBoxClass(midia)}`}>
      <img
        src={url}
        alt={name}
        loading="lazy"
        decoding="async"
        className={`size-full ${figurinha ? 'object-contain' : 'object-cover'}`}
        onError={onBroken}
      />
      <button
        type="button"
        aria-label={`Ampliar: ${name.toLowerCase()}`}
        className="absolute inset-0 cursor-zoom-in rounded-lg focus-visible:-outline-offset-4"
        onClick={() => setAberta(true)}
      />
      <Dialog open={aberta} title={name} width="xl" onClose={() => setAberta(false)}>
        <figure className="grid justify-items-center gap-3">
          <img
            src={url}
            alt={caption === '' ? name : caption}
            className="max-h-[65dvh] max-w-full rounded-lg"
            onError={onBroken}
          />
          {caption !== '' && <figcaption className="break-words whitespace-pre-wrap">{caption}</figcaption>}
        </figure>
        <p className="mt-4 text-right">
          <DownloadLink midia={midia} url={url} className="btn btn-outline min-h-11">
            <Download size={18} aria-hidden /> Baixar
          </DownloadLink>
        </p>
      </Dialog>
    </div>
  )
}

interface AudioProps {
  readonly midia: Midia
  readonly url: string
  readonly ours: boolean
  readonly onBroken: () => void
}

function Audio({ midia, url, ours, onBroken }: AudioProps) {
  const { attach, playing, position, duration, speed, toggle, seek, changeSpeed } = useAudio(url)
  const name = mediaDescription(midia, ours)
  const time = formatPlaybackTime(playing || position > 0 ? position : (duration ?? 0))
  return (
    <div role="group" aria-label={name} className={`flex items-center gap-1.5 ${mediaBoxClass(midia)}`}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a voice message has no captions */}
      <audio ref={attach} src={url} preload="metadata" onError={onBroken} />
      <button
        type="button"
        aria-label={playing ? 'Pausar' : 'Ouvir'}
        className="grid size-11 flex-none place-items-center rounded-full bg-brand text-on-brand"
        onClick={toggle}
      >
        {playing ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden className="translate-x-px" />}
      </button>
      <input
        type="range"
        min={0}
        max={duration ?? 0}
        step={0.1}
        value={duration === null ? 0 : Math.min(position, duration)}
        disabled={duration === null}
        aria-label="Posição"
        aria-valuetext={`${formatPlaybackTime(position)} de ${formatPlaybackTime(duration ?? 0)}`}
        className="h-11 min-w-0 flex-1 accent-brand"
        onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
      />
      <span className="grid flex-none justify-items-end text-xs tabular-nums">
        <span>{time}</span>
        <button
          type="button"
          aria-label={`Velocidade ${speed.toLocaleString('pt-BR')}×`}
          className="relative min-h-6 min-w-9 rounded-full font-bold pointer-coarse:before:absolute pointer-coarse:before:-inset-x-1 pointer-coarse:before:-inset-y-2.5"
          onClick={changeSpeed}
        >
          {speed.toLocaleString('pt-BR')}×
        </button>
      </span>
    </div>
  )
}

const ICONS: Readonly<Record<Midia['tipo'], typeof Mic>> = {
  imagem: ImageIcon,
  audio: Mic,
  video: Film,
  documento: Paperclip,
  figurinha: Sticker,
  localizacao: MapPin,
  contato: Contact,
  outro: Paperclip,
}

/** Allows only paths of this server, blobs, http and https. */
function safeUrl(url: string | undefined): string | null {
  return url !== undefined && /^(\/(?!\/)|blob:|https?:\/\/)/.test(url) ? url : null
}

export interface MensagemMediaProps {
  readonly midia: Midia
  readonly caption?: string | undefined
  /** True if the side that views this chat sent it. */
  readonly ours: boolean
}

export function MediaContent(props: MensagemMediaProps) {
  const url = safeUrl(props.midia.url)
  return url === null ? <MediaTextOnly midia={props.midia} /> : <MediaFile {...props} url={url} />
}

function MediaFile({ midia, caption, ours, url }: MensagemMediaProps & { readonly url: string }) {
  const { broken, onBroken } = useFile(url)
  if (broken) return <MediaDocument midia={midia} url={url} ours={ours} icon={ICONS[midia.tipo]} />
  switch (midia.tipo) {
    case 'imagem':
    case 'figurinha':
      return <MediaPicture midia={midia} url={url} caption={caption} ours={ours} onBroken={onBroken} />
    case 'audio':
      return <Audio midia={midia} url={url} ours={ours} onBroken={onBroken} />
    case 'video':
    case 'documento':
    case 'localizacao':
    case 'contato':
    case 'outro':
      return <MediaDocument midia={midia} url={url} ours={ours} icon={ICONS[midia.tipo]} />
  }
}

function MediaTextOnly({ midia }: { midia: Midia }) {
  const Icon = ICONS[midia.tipo]
  return (
    <p className="flex min-h-6 items-center gap-1.5 italic">
      <Icon size={16} aria-hidden className="flex-none" />
      <span className="min-w-0 truncate">{mediaName(midia)}</span>
    </p>
  )
}

interface MediaDocumentProps {
  readonly midia: Midia
  readonly url: string
  readonly ours: boolean
  readonly icon: typeof Mic
}

function MediaDocument({ midia, url, ours, icon: Icon }: MediaDocumentProps) {
  const detail = typeAndSize(midia)
  return (
    <DownloadLink
      midia={midia}
      url={url}
      className={`flex items-center gap-2.5 rounded-lg border border-line bg-surface px-2.5 py-2 text-ink no-underline ${mediaBoxClass(midia)}`}
    >
      <span aria-hidden className="grid size-9 flex-none place-items-center rounded-full bg-brand-soft text-brand-ink">
        <Icon size={18} />
      </span>
      <span className="min-w-0 flex-1 leading-tight">
        <span className="sr-only">{mediaDescription(midia, ours)}: </span>
        <span className="block truncate text-sm font-semibold">{mediaName(midia)}</span>
        {detail !== '' && <span className="block text-xs text-muted tabular-nums">{detail}</span>}
      </span>
      <Download size={18} aria-hidden className="flex-none text-muted" />
    </DownloadLink>
  )
}
