export function TermsScreen() {
  return <main>Em construção</main>
}
