export function ResetScreen() {
  return <main>Em construção</main>
}
