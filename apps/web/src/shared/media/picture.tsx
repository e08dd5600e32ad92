import type { Midia } from '@balcao/contract/entities/mensagem'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '#shared/ui/dialog.tsx'
import { DownloadLink } from './download-link.tsx'
import { mediaBoxClass } from './media-box.ts'
import { mediaDescription } from './media-texts.ts'

export interface MediaPictureProps {
  readonly midia: Midia
  readonly url: string
  readonly caption?: string | undefined
  readonly ours: boolean
  readonly onBroken: () => void
}

export function MediaPicture({ midia, url, caption = '', ours, onBroken }: MediaPictureProps) {
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
