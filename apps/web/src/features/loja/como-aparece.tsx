import { Dialog } from '#shared/ui/dialog.tsx'
import { PreviaDaLoja, type PreviaDaLojaProps } from './previa-da-loja.tsx'

export function ComoAparece({ onFechar, ...previa }: PreviaDaLojaProps & { readonly onFechar: () => void }) {
  return (
    <Dialog aberto titulo="Como aparece no WhatsApp" onFechar={onFechar}>
      <PreviaDaLoja {...previa} />
    </Dialog>
  )
}
