import type { Midia as MidiaRecebida } from '@balcao/contract/entities/mensagem'
import { Contact, Film, ImageIcon, MapPin, Mic, Paperclip, Sticker } from 'lucide-react'
import { useState } from 'react'
import { Audio } from './audio.tsx'
import { MediaDocument } from './document.tsx'
import { MediaPicture } from './picture.tsx'
import { mediaName } from './media-texts.ts'

const ICONS: Readonly<Record<MidiaRecebida['tipo'], typeof Mic>> = {
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
  readonly midia: MidiaRecebida
  readonly caption?: string | undefined
  /** True if the side that views this chat sent it. */
  readonly ours: boolean
}

export function MediaContent({ midia, caption, ours }: MensagemMediaProps) {
  const [broken, setQuebrada] = useState<string | null>(null)
  const url = safeUrl(midia.url)
  if (url === null) return <MediaTextOnly midia={midia} />
  if (broken === url) return <MediaDocument midia={midia} url={url} ours={ours} icon={ICONS[midia.tipo]} />
  const aoQuebrar = (): void => setQuebrada(url)
  switch (midia.tipo) {
    case 'imagem':
    case 'figurinha':
      return <MediaPicture midia={midia} url={url} caption={caption} ours={ours} onBroken={aoQuebrar} />
    case 'audio':
      return <Audio midia={midia} url={url} ours={ours} onBroken={aoQuebrar} />
    case 'video':
    case 'documento':
    case 'localizacao':
    case 'contato':
    case 'outro':
      return <MediaDocument midia={midia} url={url} ours={ours} icon={ICONS[midia.tipo]} />
  }
}

function MediaTextOnly({ midia }: { midia: MidiaRecebida }) {
  const Icone = ICONS[midia.tipo]
  return (
    <p className="flex min-h-6 items-center gap-1.5 italic">
      <Icone size={16} aria-hidden className="flex-none" />
      <span className="min-w-0 truncate">{mediaName(midia)}</span>
    </p>
  )
}
