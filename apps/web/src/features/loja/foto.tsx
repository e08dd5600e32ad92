import clsx from 'clsx'
import { useState } from 'react'

export interface FotoProps {
  readonly url: string | null
  readonly nome: string
  /** The product is switched off. */
  readonly apagada: boolean
}

/** The server's pictures come in a small version too. */
const mini = (url: string): string => (url.startsWith('/api/') ? `${url}?mini` : url)

/** The product's picture at the top of its card; its initial when there is none, or when it does not come. */
export function Foto({ url, nome, apagada }: FotoProps) {
  const [quebrada, setQuebrada] = useState<string | null>(null)
  return (
    <div
      className={clsx(
        'wall grid aspect-[16/10] place-items-center overflow-clip rounded-t-[13px] border-b text-4xl font-extrabold text-muted',
        apagada && 'opacity-60 grayscale',
      )}
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
          className="size-full object-cover"
          onError={() => setQuebrada(url)}
        />
      )}
    </div>
  )
}
