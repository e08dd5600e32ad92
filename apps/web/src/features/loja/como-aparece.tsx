import { Dialog } from '#shared/ui/dialog.tsx'
import { PreviaDaLoja, type PreviaDaLojaProps } from './previa-da-loja.tsx'

/** How a product appears in the messaging service, without editing it. */
export function ComoAparece({ onFechar, ...previa }: PreviaDaLojaProps & { readonly onFechar: () => void }) {
  return (
    <Dialog aberto titulo="Como aparece no WhatsApp" onFechar={onFechar}>
      <PreviaDaLoja {...previa} />
    </Dialog>
  )
}
