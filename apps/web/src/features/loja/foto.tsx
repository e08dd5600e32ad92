import { useState } from 'react'

export interface FotoProps {
  readonly url: string | null
  readonly nome: string
  /** The product is inactive. */
  readonly apagada: boolean
}

const APAGADA = { filter: 'grayscale(1)', opacity: 0.6 } as const

/** The server has thumbnails only for images that it stores. */
const mini = (url: string): string => (url.startsWith('/api/') ? `${url}?mini` : url)

export function Foto({ url, nome, apagada }: FotoProps) {
  const [quebrada, setQuebrada] = useState<string | null>(null)
  return (
    <div
      className="wall relative grid aspect-[16/10] place-items-center overflow-clip border-b text-2xl font-extrabold text-muted"
      style={apagada ? APAGADA : undefined}
    >
      {url === null || url === quebrada ? (
        <span aria-hidden>{nome.trim().slice(0, 1).toUpperCase()}</span>
      ) : (
        <img
          src={mini(url)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          // Absolute, or a tall image would stretch the card.
          className="absolute inset-0 size-full object-cover"
          onError={() => setQuebrada(url)}
        />
      )}
    </div>
  )
}
