export function Reactions({ reacoes }: { readonly reacoes: readonly string[] }) {
  return (
    <p className="relative mx-2 -mt-1.5 w-fit rounded-full border border-line bg-surface px-2 text-sm leading-6 shadow-card">
      <span className="sr-only">Reações: </span>
      {reacoes.join(' ')}
    </p>
  )
}
