import type { Midia } from '@balcao/contract/entities/mensagem'
import { Contact, Film, ImageIcon, MapPin, Mic, Paperclip, Sticker, Download } from 'lucide-react'
import { Audio } from './audio.tsx'
import { DownloadLink } from './download-link.tsx'
import { MediaPicture } from './picture.tsx'
import { mediaBoxClass } from './media-box.ts'
import { useFile } from './refresh-file.ts'
import { mediaDescription, mediaName, typeAndSize } from './media-texts.ts'

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
