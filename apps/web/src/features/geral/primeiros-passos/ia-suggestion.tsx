import { Link } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'

/** Shown only after all first steps are done. */
export function IaSuggestion({ onDispensar }: { onDispensar: () => void }) {
  return (
    <section
      aria-labelledby="sugestao-da-ia"
      className="card flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:flex-nowrap sm:px-5"
    >
      <span className="grid size-10 flex-none place-items-center rounded-full bg-brand-soft text-brand-ink">
        <Sparkles aria-hidden className="size-5" />
      </span>
      <div className="min-w-48 flex-1">
        <h2 id="sugestao-da-ia" className="font-bold">
          Que tal uma assistente de IA?
        </h2>
        <p className="text-sm text-muted">
          Ela responde o que não está no menu, com o que você ensinar, e chama um atendente quando for preciso.
        </p>
      </div>
      <div className="flex gap-1 max-sm:w-full max-sm:*:flex-1">
        <Button variant="ghost" onClick={onDispensar}>
          Agora não
        </Button>
        <Link to="/dashboard" search={{ aba: 'ia' }} className="btn btn-outline">
          Conhecer a IA
        </Link>
      </div>
    </section>
  )
}
