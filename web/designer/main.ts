/** The designer's page. */
document.querySelector('#designer')!.textContent = 'Parterre designer';
