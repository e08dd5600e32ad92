import type { Midia as MidiaRecebida } from '@balcao/contract/entities/mensagem'
import { Contact, Film, ImageIcon, MapPin, Mic, Paperclip, Sticker } from 'lucide-react'
import { useState } from 'react'
import { Audio } from './audio.tsx'
import { Documento } from './documento.tsx'
import { Imagem } from './imagem.tsx'
import type { MidiaDaMensagemProps } from './midia-da-mensagem.tsx'
import { nomeDaMidia } from './palavras.ts'

const ICONES: Readonly<Record<MidiaRecebida['tipo'], typeof Mic>> = {
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
function urlSegura(url: string | undefined): string | null {
  return url !== undefined && /^(\/(?!\/)|blob:|https?:\/\/)/.test(url) ? url : null
}

export function Midia({ midia, legenda, deMim }: MidiaDaMensagemProps) {
  const [quebrada, setQuebrada] = useState<string | null>(null)
  const url = urlSegura(midia.url)
  if (url === null) return <SoPalavras midia={midia} />
  if (quebrada === url) return <Documento midia={midia} url={url} deMim={deMim} icone={ICONES[midia.tipo]} />
  const aoQuebrar = (): void => setQuebrada(url)
  switch (midia.tipo) {
    case 'imagem':
    case 'figurinha':
      return <Imagem midia={midia} url={url} legenda={legenda} deMim={deMim} onQuebrar={aoQuebrar} />
    case 'audio':
      return <Audio midia={midia} url={url} deMim={deMim} onQuebrar={aoQuebrar} />
    case 'video':
    case 'documento':
    case 'localizacao':
    case 'contato':
    case 'outro':
      return <Documento midia={midia} url={url} deMim={deMim} icone={ICONES[midia.tipo]} />
  }
}

function SoPalavras({ midia }: { midia: MidiaRecebida }) {
  const Icone = ICONES[midia.tipo]
  return (
    <p className="flex min-h-6 items-center gap-1.5 italic">
      <Icone size={16} aria-hidden className="flex-none" />
      <span className="min-w-0 truncate">{nomeDaMidia(midia)}</span>
    </p>
  )
}
