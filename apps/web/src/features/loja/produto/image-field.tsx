import clsx from 'clsx'
import { ImagePlus, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Field } from '#shared/ui/field.tsx'
import { ACCEPTED_IMAGES, type ImageState } from './use-image.ts'

/** Pasted images. In a text field, text on the clipboard wins over its image version. */
function pastedFiles({ clipboardData, target }: ClipboardEvent): Iterable<File> {
  const writing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (clipboardData === null || (writing && clipboardData.types.includes('text/plain'))) return []
  return clipboardData.files
}

/** Image picked, pasted anywhere, or dropped on the form. `solta`: a file is dragged over. */
export function ImageField({ imagem, solta }: { imagem: ImageState; solta: boolean }) {
  const { url, erro } = imagem
  const paste = useEffectEvent((event: ClipboardEvent) => imagem.escolher(pastedFiles(event)))
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => paste(event)
    addEventListener('paste', listen)
    return () => removeEventListener('paste', listen)
  }, [])
  return (
    <Field label="Imagem" error={erro} hint="PNG, JPG ou WEBP, até 5 MB. Dá para arrastar, colar ou escolher.">
      {(link) => (
        <div className="relative">
          <label
            htmlFor={link.id}
            className={clsx(
              'relative grid h-44 cursor-pointer place-items-center overflow-clip rounded-xl border-2 border-dashed has-focus-visible:outline-2',
              solta ? 'border-brand bg-brand-soft' : 'border-line-strong bg-sunken',
            )}
          >
            <input
              {...link}
              type="file"
              accept={ACCEPTED_IMAGES}
              className="sr-only"
              onChange={({ currentTarget }) => {
                imagem.escolher(currentTarget.files ?? [])
                // Cleared, so that the same file can be chosen again.
                currentTarget.value = ''
              }}
            />
            {url === null ? (
              <span className="grid justify-items-center gap-2 p-3 text-center text-sm font-semibold text-muted">
                <ImagePlus size={26} aria-hidden />
                {solta ? 'Solte aqui' : 'Escolher imagem'}
              </span>
            ) : (
              <img src={url} alt="" className="absolute inset-0 size-full object-contain" onError={imagem.quebrar} />
            )}
            {url !== null && (
              <span className="absolute bottom-2 left-2 rounded-lg bg-surface px-2.5 py-1.5 text-sm font-semibold shadow-card">
                {solta ? 'Solte aqui' : 'Trocar'}
              </span>
            )}
          </label>
          {url !== null && (
            <Button size="sm" className="absolute right-2 bottom-2 bg-surface" onClick={imagem.remover}>
              <Trash2 size={15} aria-hidden /> Tirar imagem
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
