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

/** Image picked, pasted anywhere, or dropped on the form. `hovered`: a file is dragged over. */
export function ImageField({ image, hovered }: { image: ImageState; hovered: boolean }) {
  const { url, erro: error } = image
  const paste = useEffectEvent((event: ClipboardEvent) => image.escolher(pastedFiles(event)))
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => paste(event)
    addEventListener('paste', listen)
    return () => removeEventListener('paste', listen)
  }, [])
  return (
    <Field label="Imagem" error={error} hint="PNG, JPG ou WEBP, até 5 MB. Dá para arrastar, colar ou escolher.">
      {(link) => (
        <div className="relative">
          <label
            htmlFor={link.id}
            className={clsx(
              'relative grid h-44 cursor-pointer place-items-center overflow-clip rounded-xl border-2 border-dashed has-focus-visible:outline-2',
              hovered ? 'border-brand bg-brand-soft' : 'border-line-strong bg-sunken',
            )}
          >
            <input
              {...link}
              type="file"
              accept={ACCEPTED_IMAGES}
              className="sr-only"
              onChange={({ currentTarget }) => {
                image.escolher(currentTarget.files ?? [])
                // Cleared, so that the same file can be chosen again.
                currentTarget.value = ''
              }}
            />
            {url === null ? (
              <span className="grid justify-items-center gap-2 p-3 text-center text-sm font-semibold text-muted">
                <ImagePlus size={26} aria-hidden />
                {hovered ? 'Solte aqui' : 'Escolher imagem'}
              </span>
            ) : (
              <img src={url} alt="" className="absolute inset-0 size-full object-contain" onError={image.quebrar} />
            )}
            {url !== null && (
              <span className="absolute bottom-2 left-2 rounded-lg bg-surface px-2.5 py-1.5 text-sm font-semibold shadow-card">
                {hovered ? 'Solte aqui' : 'Trocar'}
              </span>
            )}
          </label>
          {url !== null && (
            <Button size="sm" className="absolute right-2 bottom-2 bg-surface" onClick={image.remover}>
              <Trash2 size={15} aria-hidden /> Tirar imagem
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
