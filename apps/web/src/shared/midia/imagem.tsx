import type { Midia } from '@balcao/contract/entities/mensagem'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '#shared/ui/dialog.tsx'
import { caixaDe } from './caixa.ts'
import { descricao } from './palavras.ts'

export interface ImagemProps {
  readonly midia: Midia
  readonly url: string
  readonly legenda?: string | undefined
  readonly deMim: boolean
  readonly onQuebrar: () => void
}

export function Imagem({ midia, url, legenda = '', deMim, onQuebrar }: ImagemProps) {
  const [aberta, setAberta] = useState(false)
  const nome = descricao(midia, deMim)
  const figurinha = midia.tipo === 'figurinha'
  return (
    <div className={`relative overflow-clip rounded-lg ${figurinha ? '' : 'bg-sunken'} ${caixaDe(midia)}`}>
      <img
        src={url}
        alt={nome}
        loading="lazy"
        decoding="async"
        className={`size-full ${figurinha ? 'object-contain' : 'object-cover'}`}
        onError={onQuebrar}
      />
      <button
        type="button"
        aria-label={`Ampliar: ${nome.toLowerCase()}`}
        className="absolute inset-0 cursor-zoom-in rounded-lg focus-visible:-outline-offset-4"
        onClick={() => setAberta(true)}
      />
      <Dialog aberto={aberta} titulo={nome} largura="xl" onFechar={() => setAberta(false)}>
        <figure className="grid justify-items-center gap-3">
          <img src={url} alt={legenda === '' ? nome : legenda} className="max-h-[65dvh] max-w-full rounded-lg" />
          {legenda !== '' && <figcaption className="break-words whitespace-pre-wrap">{legenda}</figcaption>}
        </figure>
        <p className="mt-4 text-right">
          <a href={url} download={midia.nomeArquivo ?? ''} className="btn btn-outline min-h-11">
            <Download size={18} aria-hidden /> Baixar
          </a>
        </p>
      </Dialog>
    </div>
  )
}
