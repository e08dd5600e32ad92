import { useState } from 'react'

export interface ProdutoPhotoProps {
  readonly url: string | null
  readonly name: string
  /** The product is inactive. */
  readonly faded: boolean
}

const FADED_CLASS = { filter: 'grayscale(1)', opacity: 0.6 } as const

/** The server has thumbnails only for images that it stores. */
const thumbnailUrl = (url: string): string => (url.startsWith('/api/') ? `${url}?mini` : url)

export function ProdutoPhoto({ url, name, faded }: ProdutoPhotoProps) {
  const [broken, setQuebrada] = useState<string | null>(null)
  return (
    <div
      className="wall relative grid aspect-[16/10] place-items-center overflow-clip border-b text-2xl font-extrabold text-muted"
      style={faded ? FADED_CLASS : undefined}
    >
      {url === null || url === broken ? (
        <span aria-hidden>{name.trim().slice(0, 1).toUpperCase()}</span>
      ) : (
        <img
          src={thumbnailUrl(url)}
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
