import { StepUpDialog } from '#features/conta/step-up-dialog.tsx'
import { Toasts } from '#shared/ui/toasts.tsx'

export function Overlays() {
  return (
    <>
      <StepUpDialog />
      <Toasts />
    </>
  )
}
